#ifndef GATHERING_VFS_H
#define GATHERING_VFS_H

// The name under which the VFS is registered.
#define GATHERING_VFS_NAME "pulseboard-gathering"

// Registers a VFS that is SQLite's own except for write-ahead logs: frames that follow each other are gathered in memory and
// written together, at the latest before the log is synced, read, truncated, measured or closed. SQLite writes each page of a
// transaction with two calls of `pwrite`, neither of them aligned to a page of the kernel's, which is most of what a commit costs.
//
// Only for a connection whose every COMMIT syncs the log (`synchronous` FULL or EXTRA): the sync is what writes a transaction before
// other connections are told of it. What is durable is the same as without: nothing before the sync, everything after it.
//
// When SQLite has not been used in this process yet, it is also told to keep no statistics of its memory, for which it takes a
// lock around every allocation, and to understand file names that are URIs.
//
// Returns 1 when file names may be URIs, and so name this VFS; otherwise 0. To be called by one thread at a time; more than one
// call does no harm.
int gathering_vfs_register(void);

#endif
