package org.fibnuma.ipnuma.memcached.socket;

import org.fibnuma.ipnuma.memcached.store.ItemStore;
import org.fibnuma.ipnuma.memcached.store.StoreCounter;

import java.util.concurrent.locks.ReentrantLock;

/** The store and the commands of a server, with their lock. Only the holder of the lock uses them. */
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

    /** Adds to a counter. Takes the lock. */
    void count(final StoreCounter counter, final long number)
    {
        lock();
        try
        {
            store.count(counter, number);
        }
        finally
        {
            unlock();
        }
    }

    /** Ends the session of a closed client connection. Takes the lock. */
    void end(final Session session)
    {
        lock();
        try
        {
            session.reset();
            session.end();
        }
        finally
        {
            unlock();
        }
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
