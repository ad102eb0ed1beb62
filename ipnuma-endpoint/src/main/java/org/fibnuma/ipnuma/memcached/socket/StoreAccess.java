package org.fibnuma.ipnuma.memcached.socket;

import org.fibnuma.ipnuma.memcached.store.ItemStore;

import java.util.concurrent.locks.ReentrantLock;

/** The store and the commands of a server, with the lock that whoever uses them holds. */
final class StoreAccess
{
    private final ReentrantLock lock = new ReentrantLock();
    private final ItemStore store;
    private final CommandSet commands;

    StoreAccess(final ItemStore store, final CommandSet commands)
    {
        this.store = store;
        this.commands = commands;
    }

    void lock()
    {
        lock.lock();
    }

    void unlock()
    {
        lock.unlock();
    }

    ItemStore store()
    {
        return store;
    }

    CommandSet commands()
    {
        return commands;
    }
}
