#include "gathering_vfs.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// Most bytes gathered. SQLite's own VFS writes fewer than 128 KiB in one call.
enum { CAPACITY = 120 * 1024 };

// A write-ahead log; the file of SQLite's own VFS stands right behind it.
typedef struct Log {
    sqlite3_file base;
    unsigned char *bytes;
    sqlite3_int64 start; // where in the file `bytes` belongs
    int count;           // of gathered bytes
    sqlite3_file own[];
} Log;

static sqlite3_vfs *system_vfs;
static sqlite3_vfs gathering_vfs;

static sqlite3_file *own(sqlite3_file *file) { return ((Log *)file)->own; }

// Writes what has been gathered. What cannot be written is forgotten: the transaction it belongs to fails with this.
static int write_out(sqlite3_file *file) {
    Log *log = (Log *)file;
    int count = log->count;
    if (count == 0) return SQLITE_OK;
    log->count = 0;
    return own(file)->pMethods->xWrite(own(file), log->bytes, count, log->start);
}

static int close_log(sqlite3_file *file) {
    int written = write_out(file);
    int closed = own(file)->pMethods->xClose(own(file));
    free(((Log *)file)->bytes);
    return written != SQLITE_OK ? written : closed;
}

static int read_log(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int written = write_out(file);
    return written != SQLITE_OK ? written : own(file)->pMethods->xRead(own(file), bytes, count, offset);
}

static int write_log(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    Log *log = (Log *)file;
    if (offset != log->start + log->count || log->count + count > CAPACITY) {
        int written = write_out(file);
        if (written != SQLITE_OK) return written;
    }
    if (count > CAPACITY) return own(file)->pMethods->xWrite(own(file), bytes, count, offset);
    if (log->count == 0) log->start = offset;
    memcpy(log->bytes + log->count, bytes, (size_t)count);
    log->count += count;
    return SQLITE_OK;
}

static int truncate_log(sqlite3_file *file, sqlite3_int64 size) {
    int written = write_out(file);
    return written != SQLITE_OK ? written : own(file)->pMethods->xTruncate(own(file), size);
}

static int sync_log(sqlite3_file *file, int flags) {
    int written = write_out(file);
    return written != SQLITE_OK ? written : own(file)->pMethods->xSync(own(file), flags);
}

static int size_of_log(sqlite3_file *file, sqlite3_int64 *size) {
    int written = write_out(file);
    return written != SQLITE_OK ? written : own(file)->pMethods->xFileSize(own(file), size);
}

static int lock_log(sqlite3_file *file, int level) { return own(file)->pMethods->xLock(own(file), level); }
static int unlock_log(sqlite3_file *file, int level) { return own(file)->pMethods->xUnlock(own(file), level); }
static int is_reserved(sqlite3_file *file, int *answer) { return own(file)->pMethods->xCheckReservedLock(own(file), answer); }
static int control_log(sqlite3_file *file, int what, void *with) { return own(file)->pMethods->xFileControl(own(file), what, with); }
static int sector_size(sqlite3_file *file) { return own(file)->pMethods->xSectorSize(own(file)); }
static int characteristics(sqlite3_file *file) { return own(file)->pMethods->xDeviceCharacteristics(own(file)); }

// Version 1: a log is neither mapped nor has it shared memory; those belong to the database's own file.
static const sqlite3_io_methods log_methods = {
    .iVersion = 1,
    .xClose = close_log,
    .xRead = read_log,
    .xWrite = write_log,
    .xTruncate = truncate_log,
    .xSync = sync_log,
    .xFileSize = size_of_log,
    .xLock = lock_log,
    .xUnlock = unlock_log,
    .xCheckReservedLock = is_reserved,
    .xFileControl = control_log,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given_flags) {
    (void)vfs;
    if (!(flags & SQLITE_OPEN_WAL)) return system_vfs->xOpen(system_vfs, name, file, flags, given_flags);
    Log *log = (Log *)file;
    memset(log, 0, sizeof *log);
    log->bytes = malloc(CAPACITY);
    if (log->bytes == NULL) return SQLITE_NOMEM;
    int opened = system_vfs->xOpen(system_vfs, name, log->own, flags, given_flags);
    if (opened != SQLITE_OK) {
        // Without methods SQLite does not close the file; the system's VFS has left nothing open.
        free(log->bytes);
        return opened;
    }
    log->base.pMethods = &log_methods;
    return SQLITE_OK;
}

int gathering_vfs_register(void) {
    if (sqlite3_vfs_find(GATHERING_VFS_NAME) != NULL) return 1;
    // Both are refused once SQLite has been used.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    int has_uris = sqlite3_config(SQLITE_CONFIG_URI, 1) == SQLITE_OK || sqlite3_compileoption_used("USE_URI");
    if (!has_uris || sqlite3_initialize() != SQLITE_OK) return 0;
    system_vfs = sqlite3_vfs_find(NULL);
    if (system_vfs == NULL) return 0;
    gathering_vfs = *system_vfs;
    gathering_vfs.zName = GATHERING_VFS_NAME;
    gathering_vfs.pNext = NULL;
    gathering_vfs.szOsFile = system_vfs->szOsFile + (int)sizeof(Log);
    gathering_vfs.xOpen = open_file;
    return sqlite3_vfs_register(&gathering_vfs, 0) == SQLITE_OK;
}
