#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdbool.h>
#include <stdint.h>

/// A disk below SQLite that can stop between any two changes of its files, and may then lose unsynchronised data.
///
/// It is a VFS around SQLite's own, in the files' real directory. Databases in other directories are not touched. While a database is open here, no other
/// process can use it; this process may have several connections. A disk that has stopped refuses
/// every change, like a kernel after a process was killed. If unsynchronised data is lost too, it is like a power cut. Changes are the
/// calls that write, truncate, synchronise or delete. Shared memory is lost in both cases, by SQLite itself.
///
/// Any thread may call the functions.

/// Makes the disk below the database files of a directory. The first call makes this VFS the process's default.
/// - Returns: whether it could be done.
bool faulty_disk_insert(const char *directory);

/// Forgets a directory. Call it when all its databases are closed.
void faulty_disk_remove(const char *directory);

/// Permits this many more changes. The disk stops at the next one. A negative number permits all.
void faulty_disk_stop_after(const char *directory, int64_t changes);

/// Whether the disk has refused a change.
bool faulty_disk_has_stopped(const char *directory);

/// Whether a file of the directory is open.
bool faulty_disk_is_in_use(const char *directory);

/// Permits everything again. Call it when all databases of the directory are closed.
/// - Parameters:
///   - loses_unsynchronised: whether to undo changes since a file's last synchronisation: of each file the latest ones; the seed determines how many.
/// - Returns: whether it could be done.
bool faulty_disk_restart(const char *directory, bool loses_unsynchronised, uint64_t seed);

#endif
