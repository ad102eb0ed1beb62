package org.fibnuma.ipnuma.naming.etcd;

import org.fibnuma.ipnuma.naming.NameProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Keeps an endpoint in the directory under a lease, on a separate thread. The entry exists as long as the process runs,
 * and, if the process dies, until the lease ends. While etcd does not answer, the thread tries again; the endpoint is
 * not affected. After the end of the lease the entry is written again under a new lease. A deleted entry is written
 * again within a third of the lease.
 */
public final class DirectoryRegistration implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(DirectoryRegistration.class);

    private static final long NO_LEASE = 0;
    /** Renewals in the time of a lease. Two of them may fail. */
    private static final int RENEWALS = 3;
    private static final long RETRY_MS = 500;

    private final DirectorySettings settings;
    private final EtcdClient etcd;
    private final Thread thread = new Thread(this::run, "directory-registration");
    private final Object monitor = new Object();
    private DirectoryEntry entry;
    private boolean isClosed;
    /** Used by the thread only, as the next fields. */
    private DirectoryEntry written;
    private long lease = NO_LEASE;
    private String problem;

    private DirectoryRegistration(final DirectorySettings settings, final DirectoryEntry entry)
    {
        this.settings = settings;
        this.entry = entry;
        this.etcd = settings.newClient();
        thread.setDaemon(true);
    }

    /**
     * Starts to register an endpoint. Returns at once, even if etcd does not answer.
     *
     * @param settings of the directory.
     * @param entry    of the endpoint.
     * @return the registration.
     * @throws org.fibnuma.core.UserException if a certificate cannot be used.
     */
    public static DirectoryRegistration start(final DirectorySettings settings, final DirectoryEntry entry)
    {
        final DirectoryRegistration registration = new DirectoryRegistration(settings, entry);
        registration.thread.start();
        return registration;
    }

    /** Replaces the entry, for instance because a region was added. Any thread; does not wait. */
    public void update(final DirectoryEntry changed)
    {
        synchronized (monitor)
        {
            entry = changed;
            monitor.notifyAll();
        }
    }

    private void run()
    {
        while (true)
        {
            final DirectoryEntry latest;
            synchronized (monitor)
            {
                if (isClosed)
                {
                    break;
                }
                latest = entry;
            }
            sleepUnlessChanged(register(latest), latest);
        }
        revoke();
    }

    /** Registers the entry or renews its lease. Returns the time until the next call in ms. */
    private long register(final DirectoryEntry latest)
    {
        try
        {
            if (lease != NO_LEASE && !etcd.keepAlive(lease))
            {
                LOGGER.warn("directory: the lease of endpoint {} has ended; registers it again", latest.name());
                lease = NO_LEASE;
                written = null;
            }
            if (lease == NO_LEASE)
            {
                lease = etcd.grantLease(settings.leaseSeconds());
            }
            if (written != null)
            {
                checkWritten(latest);
            }
            if (!latest.equals(written) && !write(latest))
            {
                return RETRY_MS;
            }
            logRecovery(latest);
            return TimeUnit.SECONDS.toMillis(settings.leaseSeconds()) / RENEWALS;
        }
        catch (final IOException ex)
        {
            warnOnce("directory: cannot register endpoint " + latest.name() + ": " + ex.getMessage() + "; tries again");
            return RETRY_MS;
        }
    }

    /** Clears {@link #written} if the entry was deleted, or an endpoint with another address has the name. */
    private void checkWritten(final DirectoryEntry latest) throws IOException
    {
        final String holder = etcd.get(settings.keyOf(latest.name()));
        if (holder == null)
        {
            LOGGER.warn("directory: the entry of endpoint {} was deleted; writes it again", latest.name());
        }
        if (holder == null || !isOfSameAddress(holder, latest))
        {
            written = null;
        }
    }

    /** Writes the entry unless an endpoint with another address has the name. */
    private boolean write(final DirectoryEntry latest) throws IOException
    {
        final String key = settings.keyOf(latest.name());
        final String value = latest.toJson().toString();
        if (written != null || !etcd.putIfAbsent(key, value, lease))
        {
            final String holder = etcd.get(key);
            if (holder != null && !isOfSameAddress(holder, latest))
            {
                warnOnce("directory: another endpoint is registered as " + latest.name() + ": " +
                    NameProtocol.printable(holder) +
                    "; give one of them another name, or wait for the end of its lease");
                return false;
            }
            etcd.put(key, value, lease);
        }
        written = latest;
        return true;
    }

    private static boolean isOfSameAddress(final String holder, final DirectoryEntry latest)
    {
        try
        {
            return DirectoryEntry.parse(holder).ipv4() == latest.ipv4();
        }
        catch (final IllegalArgumentException ignore)
        {
            return false;
        }
    }

    private void warnOnce(final String line)
    {
        if (!line.equals(problem))
        {
            problem = line;
            LOGGER.warn(line);
        }
    }

    private void logRecovery(final DirectoryEntry latest)
    {
        if (problem != null)
        {
            problem = null;
            LOGGER.info("directory: endpoint {} is registered", latest.name());
        }
    }

    private void sleepUnlessChanged(final long waitMs, final DirectoryEntry latest)
    {
        synchronized (monitor)
        {
            final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
            long restNs = end - System.nanoTime();
            while (!isClosed && latest.equals(entry) && restNs > 0)
            {
                try
                {
                    TimeUnit.NANOSECONDS.timedWait(monitor, restNs);
                }
                catch (final InterruptedException ignore)
                {
                    isClosed = true;
                }
                restNs = end - System.nanoTime();
            }
        }
    }

    private void revoke()
    {
        try
        {
            if (lease != NO_LEASE)
            {
                etcd.revokeLease(lease);
            }
        }
        catch (final IOException ignore)
        {
            // The lease ends by itself.
        }
    }

    /** Removes the endpoint from the directory. If etcd does not answer, the lease ends by itself. */
    @Override
    public void close()
    {
        synchronized (monitor)
        {
            isClosed = true;
            monitor.notifyAll();
        }
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(settings.leaseSeconds()));
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
