#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdbool.h>
#include <stdint.h>

/// A disk below SQLite that stops between any two changes of its files, and that may forget what was not synchronised when it stops.
///
/// It is a VFS around SQLite's own, in the files' real directory. Databases in other directories are not touched. A disk that has stopped refuses
/// every change, as the kernel gets none from a process that was killed; with what was not synchronised forgotten, it is a power cut. Changes are the
/// calls that write, truncate, synchronise or delete. What a process has in shared memory is forgotten in both cases, by SQLite itself.
///
/// All functions may be called by any thread.

/// Makes the disk below the database files of a directory. The first call makes this VFS the process's default.
/// - Returns: whether it could be done.
bool faulty_disk_insert(const char *directory);

/// Forgets a directory, when the last of its databases is closed.
void faulty_disk_remove(const char *directory);

/// Lets so many more changes through. The disk stops with the one behind them; a negative number lets all through.
void faulty_disk_stop_after(const char *directory, int64_t changes);

/// Whether the disk has refused a change.
bool faulty_disk_has_stopped(const char *directory);

/// Whether a file of the directory is open.
bool faulty_disk_is_in_use(const char *directory);

/// Lets everything through again, when all databases of the directory are closed.
/// - Parameters:
///   - loses_unsynchronised: whether changes since a file's last synchronisation are undone: of each file the latest, as many as the seed says.
/// - Returns: whether it could be done.
bool faulty_disk_restart(const char *directory, bool loses_unsynchronised, uint64_t seed);

#endif
