#include "faulty_disk.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The bytes that a change has replaced.
struct change {
    int64_t former_size;
    int64_t offset;
    int64_t count;
    unsigned char *former;
    struct change *earlier;
};

/// The changes of a file since its last synchronisation, latest first.
struct history {
    char *path;
    /// Bytes of the file; negative while nobody has asked. Nobody else writes to it while it is open here.
    int64_t size;
    int64_t open_count;
    struct change *latest;
    struct history *next;
};

struct disk {
    char *directory;
    size_t length;
    /// How many changes are left until the disk stops; negative for no limit.
    int64_t left;
    bool has_stopped;
    /// The number of open files.
    int64_t open_count;
    bool is_removed;
    struct history *histories;
    struct disk *next;
};

struct file {
    sqlite3_file base;
    struct disk *disk;
    struct history *history;
    /// SQLite's own file, after this one in the same memory.
    sqlite3_file *real;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct disk *disks;
static sqlite3_vfs *real_vfs;
/// SQLite's own for files that one process has to itself: without locks of the kernel's, and with the log's index in this process's memory.
static sqlite3_vfs *exclusive_vfs;
static sqlite3_vfs faulty_vfs;

static struct disk *find(const char *directory) {
    for (struct disk *disk = disks; disk; disk = disk->next)
        if (strcmp(disk->directory, directory) == 0) return disk;
    return NULL;
}

/// The disk of a path's directory.
static struct disk *disk_of(const char *path) {
    for (struct disk *disk = disks; disk; disk = disk->next)
        if (strncmp(path, disk->directory, disk->length) == 0 && path[disk->length] == '/') return disk;
    return NULL;
}

static struct history *history_of(struct disk *disk, const char *path) {
    for (struct history *history = disk->histories; history; history = history->next)
        if (strcmp(history->path, path) == 0) return history;
    struct history *history = calloc(1, sizeof *history);
    if (!history || !(history->path = strdup(path))) abort();
    history->size = -1;
    history->next = disk->histories;
    return disk->histories = history;
}

static void forget(struct history *history) {
    while (history->latest) {
        struct change *change = history->latest;
        history->latest = change->earlier;
        free(change->former);
        free(change);
    }
}

static void free_disk(struct disk *disk) {
    while (disk->histories) {
        struct history *history = disk->histories;
        disk->histories = history->next;
        forget(history);
        free(history->path);
        free(history);
    }
    free(disk->directory);
    free(disk);
}

/// Whether a change is permitted. Counts it.
static bool passes(struct disk *disk) {
    if (disk->left == 0) disk->has_stopped = true;
    if (disk->left > 0) disk->left--;
    return !disk->has_stopped;
}

/// The bytes of a file, which the kernel is asked for once.
static int find_size(struct file *file, sqlite3_int64 *size) {
    sqlite3_int64 found = file->history->size;
    int code = found < 0 ? file->real->pMethods->xFileSize(file->real, &found) : SQLITE_OK;
    if (code == SQLITE_OK) *size = file->history->size = found;
    return code;
}

/// Keeps the bytes that a change is about to replace: `count` bytes from `offset`, as far as they exist.
static int remember(struct file *file, int64_t offset, int64_t count) {
    struct change *change = calloc(1, sizeof *change);
    if (!change) return SQLITE_NOMEM;
    sqlite3_int64 size = 0;
    int code = find_size(file, &size);
    if (code == SQLITE_OK) {
        change->former_size = size;
        change->offset = offset;
        change->count = offset >= size ? 0 : (offset + count > size ? size - offset : count);
        if (change->count > 0) {
            if (!(change->former = malloc((size_t)change->count))) code = SQLITE_NOMEM;
            else code = file->real->pMethods->xRead(file->real, change->former, (int)change->count, offset);
        }
    }
    if (code != SQLITE_OK) {
        free(change->former);
        free(change);
        return code;
    }
    change->earlier = file->history->latest;
    file->history->latest = change;
    return SQLITE_OK;
}

// MARK: a file

static sqlite3_file *real_of(sqlite3_file *base) { return ((struct file *)base)->real; }

static int close_file(sqlite3_file *base) {
    int code = real_of(base)->pMethods->xClose(real_of(base));
    pthread_mutex_lock(&lock);
    struct disk *disk = ((struct file *)base)->disk;
    struct history *history = ((struct file *)base)->history;
    // Whoever has it next may find another one in its place.
    if (--history->open_count == 0) history->size = -1;
    if (--disk->open_count == 0 && disk->is_removed) free_disk(disk);
    pthread_mutex_unlock(&lock);
    return code;
}

static int read_file(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    return real_of(base)->pMethods->xRead(real_of(base), bytes, count, offset);
}

static int write_file(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    struct file *file = (struct file *)base;
    pthread_mutex_lock(&lock);
    int code = passes(file->disk) ? remember(file, offset, count) : SQLITE_IOERR_WRITE;
    if (code == SQLITE_OK) {
        code = file->real->pMethods->xWrite(file->real, bytes, count, offset);
        if (code != SQLITE_OK) file->history->size = -1;
        else if (offset + count > file->history->size) file->history->size = offset + count;
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int truncate_file(sqlite3_file *base, sqlite3_int64 size) {
    struct file *file = (struct file *)base;
    sqlite3_int64 former = 0;
    pthread_mutex_lock(&lock);
    int code = passes(file->disk) ? find_size(file, &former) : SQLITE_IOERR_TRUNCATE;
    if (code == SQLITE_OK) code = remember(file, size, former > size ? former - size : 0);
    if (code == SQLITE_OK) {
        code = file->real->pMethods->xTruncate(file->real, size);
        // SQLite's own cuts at a multiple of what it was told to grow by.
        file->history->size = -1;
    }
    pthread_mutex_unlock(&lock);
    return code;
}

/// Does not sync the real disk. It only marks the data as synchronised for this disk.
static int synchronise_file(sqlite3_file *base, int flags) {
    (void)flags;
    struct file *file = (struct file *)base;
    pthread_mutex_lock(&lock);
    int code = passes(file->disk) ? SQLITE_OK : SQLITE_IOERR_FSYNC;
    if (code == SQLITE_OK) forget(file->history);
    pthread_mutex_unlock(&lock);
    return code;
}

static int size_of_file(sqlite3_file *base, sqlite3_int64 *size) {
    pthread_mutex_lock(&lock);
    int code = find_size((struct file *)base, size);
    pthread_mutex_unlock(&lock);
    return code;
}
static int lock_file(sqlite3_file *base, int level) { return real_of(base)->pMethods->xLock(real_of(base), level); }
static int unlock_file(sqlite3_file *base, int level) { return real_of(base)->pMethods->xUnlock(real_of(base), level); }
static int check_lock(sqlite3_file *base, int *result) { return real_of(base)->pMethods->xCheckReservedLock(real_of(base), result); }
static int control_file(sqlite3_file *base, int operation, void *argument) {
    return real_of(base)->pMethods->xFileControl(real_of(base), operation, argument);
}
static int sector_size(sqlite3_file *base) { return real_of(base)->pMethods->xSectorSize(real_of(base)); }
static int characteristics(sqlite3_file *base) { return real_of(base)->pMethods->xDeviceCharacteristics(real_of(base)); }
static int map_memory(sqlite3_file *base, int page, int size, int extends, void volatile **memory) {
    return real_of(base)->pMethods->xShmMap(real_of(base), page, size, extends, memory);
}
static int lock_memory(sqlite3_file *base, int offset, int count, int flags) {
    return real_of(base)->pMethods->xShmLock(real_of(base), offset, count, flags);
}
static void order_memory(sqlite3_file *base) { real_of(base)->pMethods->xShmBarrier(real_of(base)); }
static int unmap_memory(sqlite3_file *base, int deletes) { return real_of(base)->pMethods->xShmUnmap(real_of(base), deletes); }

/// Version 2: without mapped files, because their changes could not be seen here.
static const sqlite3_io_methods methods = {
    .iVersion = 2, .xClose = close_file, .xRead = read_file, .xWrite = write_file, .xTruncate = truncate_file, .xSync = synchronise_file,
    .xFileSize = size_of_file, .xLock = lock_file, .xUnlock = unlock_file, .xCheckReservedLock = check_lock, .xFileControl = control_file,
    .xSectorSize = sector_size, .xDeviceCharacteristics = characteristics, .xShmMap = map_memory, .xShmLock = lock_memory,
    .xShmBarrier = order_memory, .xShmUnmap = unmap_memory,
};

// MARK: the file system

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *flags_out) {
    (void)vfs;
    struct disk *disk = NULL;
    struct history *history = NULL;
    if (path) {
        pthread_mutex_lock(&lock);
        if ((disk = disk_of(path))) history = history_of(disk, path);
        pthread_mutex_unlock(&lock);
    }
    if (!disk) return real_vfs->xOpen(real_vfs, path, base, flags, flags_out);
    struct file *file = (struct file *)base;
    file->disk = disk;
    file->history = history;
    file->real = (sqlite3_file *)(file + 1);
    file->real->pMethods = NULL;
    int code = exclusive_vfs->xOpen(exclusive_vfs, path, file->real, flags, flags_out);
    file->base.pMethods = file->real->pMethods ? &methods : NULL;
    if (file->base.pMethods) {
        pthread_mutex_lock(&lock);
        disk->open_count++;
        history->open_count++;
        pthread_mutex_unlock(&lock);
    }
    return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int synchronises_directory) {
    (void)vfs;
    pthread_mutex_lock(&lock);
    struct disk *disk = disk_of(path);
    bool goes_on = !disk || passes(disk);
    // A directory counts as synchronised at once: SQLite deletes no file whose contents are still needed.
    if (disk && goes_on) {
        forget(history_of(disk, path));
        history_of(disk, path)->size = -1;
    }
    pthread_mutex_unlock(&lock);
    return goes_on ? real_vfs->xDelete(real_vfs, path, disk ? 0 : synchronises_directory) : SQLITE_IOERR_DELETE;
}

static bool install(void) {
    if (real_vfs) return true;
    if (!(exclusive_vfs = sqlite3_vfs_find("unix-excl")) || !(real_vfs = sqlite3_vfs_find(NULL))) return false;
    faulty_vfs = *real_vfs;
    faulty_vfs.zName = "faulty";
    int largest = real_vfs->szOsFile > exclusive_vfs->szOsFile ? real_vfs->szOsFile : exclusive_vfs->szOsFile;
    faulty_vfs.szOsFile = (int)sizeof(struct file) + largest;
    faulty_vfs.xOpen = open_file;
    faulty_vfs.xDelete = delete_file;
    return sqlite3_vfs_register(&faulty_vfs, 1) == SQLITE_OK;
}

// MARK: what the tests do

bool faulty_disk_insert(const char *directory) {
    pthread_mutex_lock(&lock);
    bool done = install();
    struct disk *disk = done ? calloc(1, sizeof *disk) : NULL;
    if (disk && (disk->directory = strdup(directory))) {
        disk->length = strlen(directory);
        disk->left = -1;
        disk->next = disks;
        disks = disk;
    } else {
        free(disk);
        done = false;
    }
    pthread_mutex_unlock(&lock);
    return done;
}

void faulty_disk_remove(const char *directory) {
    pthread_mutex_lock(&lock);
    for (struct disk **place = &disks; *place; place = &(*place)->next) {
        struct disk *disk = *place;
        if (strcmp(disk->directory, directory) != 0) continue;
        *place = disk->next;
        disk->is_removed = true;
        if (disk->open_count == 0) free_disk(disk);
        break;
    }
    pthread_mutex_unlock(&lock);
}

void faulty_disk_stop_after(const char *directory, int64_t changes) {
    pthread_mutex_lock(&lock);
    struct disk *disk = find(directory);
    if (disk) disk->left = changes;
    pthread_mutex_unlock(&lock);
}

bool faulty_disk_has_stopped(const char *directory) {
    pthread_mutex_lock(&lock);
    struct disk *disk = find(directory);
    bool has_stopped = disk && disk->has_stopped;
    pthread_mutex_unlock(&lock);
    return has_stopped;
}

bool faulty_disk_is_in_use(const char *directory) {
    pthread_mutex_lock(&lock);
    struct disk *disk = find(directory);
    bool is_in_use = disk && disk->open_count > 0;
    pthread_mutex_unlock(&lock);
    return is_in_use;
}

/// Undoes the latest `count` changes of a file.
static bool undo(struct history *history, uint64_t count) {
    if (!history->latest || count == 0) return true;
    int descriptor = open(history->path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return false;
    bool done = true;
    for (struct change *change = history->latest; change && count > 0; change = change->earlier, count--) {
        done = done && (change->count == 0 || pwrite(descriptor, change->former, (size_t)change->count, change->offset) == change->count);
        done = done && ftruncate(descriptor, change->former_size) == 0;
    }
    close(descriptor);
    return done;
}

bool faulty_disk_restart(const char *directory, bool loses_unsynchronised, uint64_t seed) {
    pthread_mutex_lock(&lock);
    struct disk *disk = find(directory);
    bool done = disk != NULL && disk->open_count == 0;
    for (struct history *history = disk ? disk->histories : NULL; history; history = history->next) {
        uint64_t count = 0;
        for (struct change *change = history->latest; change; change = change->earlier) count++;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (loses_unsynchronised) done = undo(history, (seed >> 33) % (count + 1)) && done;
        forget(history);
    }
    if (disk) {
        disk->left = -1;
        disk->has_stopped = false;
    }
    pthread_mutex_unlock(&lock);
    return done;
}
