package org.fibnuma.ipnuma.naming.etcd;

import org.fibnuma.ipnuma.naming.NameProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Keeps an endpoint in the directory under a lease, on a thread of its own: as long as the process runs, and, if it
 * dies, until the lease ends. While etcd does not answer, tries again; the endpoint works meanwhile. After the end of
 * the lease the entry is written again under a new one; an entry that somebody deletes is written again within a third
 * of the lease.
 */
public final class DirectoryRegistration implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryRegistration.class);

    private static final long NO_LEASE = 0;
    /** Renewals in the time of a lease: two may fail. */
    private static final int RENEWALS = 3;
    private static final long RETRY_MS = 500;

    private final DirectorySettings settings;
    private final EtcdClient etcd;
    private final Thread thread = new Thread(this::run, "directory-registration");
    private final Object monitor = new Object();
    private DirectoryEntry entry;
    private boolean isClosed;
    /** Fields below are the thread's. */
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
     * Starts to register an endpoint. Returns at once, whether etcd answers or not.
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

    /** Replaces the entry, for instance because the endpoint has another region. Any thread; does not wait. */
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
            final DirectoryEntry wanted;
            synchronized (monitor)
            {
                if (isClosed)
                {
                    break;
                }
                wanted = entry;
            }
            sleepUnlessChanged(register(wanted), wanted);
        }
        revoke();
    }

    /** Returns how long to wait before the next call, in ms. */
    private long register(final DirectoryEntry wanted)
    {
        try
        {
            if (lease != NO_LEASE && !etcd.keepAlive(lease))
            {
                LOG.warn("directory: the lease of endpoint {} has ended; registers it again", wanted.name());
                lease = NO_LEASE;
                written = null;
            }
            if (lease == NO_LEASE)
            {
                lease = etcd.grantLease(settings.leaseSeconds());
            }
            if (written != null)
            {
                checkWritten(wanted);
            }
            if (!wanted.equals(written) && !write(wanted))
            {
                return RETRY_MS;
            }
            tellRecovery(wanted);
            return TimeUnit.SECONDS.toMillis(settings.leaseSeconds()) / RENEWALS;
        }
        catch (final IOException ex)
        {
            tell("directory: cannot register endpoint " + wanted.name() + ": " + ex.getMessage() + "; tries again");
            return RETRY_MS;
        }
    }

    /** Forgets what was written if somebody has deleted the entry, or has given the name to another address. */
    private void checkWritten(final DirectoryEntry wanted) throws IOException
    {
        final String holder = etcd.get(settings.keyOf(wanted.name()));
        if (holder == null)
        {
            LOG.warn("directory: the entry of endpoint {} was deleted; writes it again", wanted.name());
        }
        if (holder == null || !isOfSameAddress(holder, wanted))
        {
            written = null;
        }
    }

    /** Writes the entry unless an endpoint with another address has the name. */
    private boolean write(final DirectoryEntry wanted) throws IOException
    {
        final String key = settings.keyOf(wanted.name());
        final String value = wanted.toJson().toString();
        if (written != null || !etcd.putIfAbsent(key, value, lease))
        {
            final String holder = etcd.get(key);
            if (holder != null && !isOfSameAddress(holder, wanted))
            {
                tell("directory: another endpoint is registered as " + wanted.name() + ": " +
                    NameProtocol.printable(holder) +
                    "; give one of them another name, or wait for the end of its lease");
                return false;
            }
            etcd.put(key, value, lease);
        }
        written = wanted;
        return true;
    }

    private static boolean isOfSameAddress(final String holder, final DirectoryEntry wanted)
    {
        try
        {
            return DirectoryEntry.parse(holder).ipv4() == wanted.ipv4();
        }
        catch (final IllegalArgumentException ignore)
        {
            return false;
        }
    }

    private void tell(final String line)
    {
        if (!line.equals(problem))
        {
            problem = line;
            LOG.warn(line);
        }
    }

    private void tellRecovery(final DirectoryEntry wanted)
    {
        if (problem != null)
        {
            problem = null;
            LOG.info("directory: endpoint {} is registered", wanted.name());
        }
    }

    private void sleepUnlessChanged(final long waitMs, final DirectoryEntry wanted)
    {
        synchronized (monitor)
        {
            final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
            long restNs = end - System.nanoTime();
            while (!isClosed && wanted.equals(entry) && restNs > 0)
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

    /** Removes the endpoint from the directory, unless etcd does not answer: then its lease ends by itself. */
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
