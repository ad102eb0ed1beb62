package org.fibnuma.binding.dpdk.eal;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.dpdk.layout.DpdkRelease;
import org.fibnuma.binding.libc.ArgumentVector;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.ThreadEnd;

import java.nio.file.Path;

/**
 * DPDK's environment. It is started with the first port and never stopped, because it cannot be started twice. Threads
 * of this process are registered individually; DPDK pins none of them and creates no workers.
 */
public final class Eal
{
    private static final int IOVA_PHYSICAL = 1;

    private static Eal started;
    private static UserException failed;
    private static boolean pciExpected;

    /** Result of {@link #registerThread} on the thread. */
    private static final ThreadLocal<Boolean> KNOWN = new ThreadLocal<>();

    private final DpdkLibraries libraries;
    private final EalArguments arguments;

    private Eal(final DpdkLibraries libraries, final EalArguments arguments)
    {
        this.libraries = libraries;
        this.arguments = arguments;
    }

    /** Records, before {@link #start}, that a device on the PCI bus will be opened. */
    public static synchronized void expectPci()
    {
        pciExpected = true;
    }

    /**
     * Returns the environment, always the same object, and starts it on the first call.
     *
     * @param needsPci whether a device on the PCI bus will be opened.
     * @throws UserException if the libraries are missing or refuse, or PCI is needed after a start without it.
     */
    public static synchronized Eal start(final boolean needsPci)
    {
        if (failed != null)
        {
            throw new UserException(failed.getMessage(), failed);
        }
        if (started == null)
        {
            started = startFirst(needsPci || pciExpected);
        }
        else if (needsPci && !started.arguments.withPci())
        {
            throw new UserException("DPDK was started without PCI in this process, for virtual ports: " +
                "open ports with a PCI address first");
        }
        return started;
    }

    private static Eal startFirst(final boolean needsPci)
    {
        final DpdkLibraries libraries = DpdkLibraries.get();
        final EalArguments arguments = EalArguments.forThisMachine(needsPci);
        final UserException[] failure = new UserException[1];
        // The starting thread remains lcore 0 in DPDK, so a thread without another purpose is used.
        final Thread starter = new Thread(() -> failure[0] = initialize(libraries, arguments), "dpdk-eal");
        starter.start();
        ThreadEnd.await(starter);
        if (failure[0] != null)
        {
            failed = failure[0];
            throw failed;
        }
        return new Eal(libraries, arguments);
    }

    private static UserException initialize(final DpdkLibraries libraries, final EalArguments arguments)
    {
        final EalLibrary eal = libraries.eal();
        try (EalLog log = new EalLog(eal); ArgumentVector argv = new ArgumentVector(arguments.list()))
        {
            final boolean initialized = eal.rte_eal_init(argv.count(), argv.address()) >= 0;
            final String error = initialized ? "" : eal.rte_strerror(errno(libraries));
            tidy(eal.rte_eal_get_runtime_dir(), initialized && arguments.telemetry());
            return initialized ? null : new UserException(EalProblem.explain(log.reason(), error, arguments));
        }
        catch (final RuntimeException | LinkageError ex)
        {
            return new UserException("DPDK cannot be started: " + ex.getMessage(), ex);
        }
    }

    /** Removes this process's directory: at once without telemetry, otherwise when the process ends. */
    private static void tidy(final String directory, final boolean telemetry)
    {
        if (directory.isEmpty())
        {
            return;
        }
        final Path own = Path.of(directory);
        final RuntimeDirectories directories = new RuntimeDirectories(own.getParent());
        directories.removeStale();
        if (telemetry)
        {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> directories.remove(own), "dpdk-directory"));
        }
        else
        {
            directories.removeEmpty(own);
        }
    }

    /**
     * Registers the calling thread until its {@link ThreadEnd}, so that pools have a cache of mbufs for it: without a
     * cache, freeing an mbuf costs an atomic operation. Further calls have no effect. Returns false if 127 threads are
     * registered; a thread also works without.
     */
    public boolean registerThread()
    {
        if (KNOWN.get() == null)
        {
            final boolean known = libraries.eal().rte_thread_register() == 0;
            KNOWN.set(known);
            ThreadEnd.add(() ->
            {
                KNOWN.remove();
                if (known)
                {
                    libraries.eal().rte_thread_unregister();
                }
            });
        }
        return KNOWN.get();
    }

    /** Returns the version text, such as {@code DPDK 22.11.11}. */
    public String version()
    {
        return libraries.eal().rte_version();
    }

    /** Returns one line to log when the first port is opened, or an empty text. */
    public String advice()
    {
        return arguments.advice();
    }

    /** Returns whether devices use physical addresses, because there is no IOMMU; false without physical devices. */
    public boolean usesPhysicalAddresses()
    {
        return libraries.eal().rte_eal_iova_mode() == IOVA_PHYSICAL;
    }

    DpdkRelease release()
    {
        return libraries.release();
    }

    DpdkLibraries libraries()
    {
        return libraries;
    }

    /** Returns the error text of this thread's last call, for functions whose result is not the error number. */
    String lastError()
    {
        return libraries.eal().rte_strerror(errno(libraries));
    }

    int lastErrorNumber()
    {
        return errno(libraries);
    }

    private static int errno(final DpdkLibraries libraries)
    {
        return UnsafeApi.getInt(libraries.address("rte_eal", "per_lcore__rte_errno"));
    }
}
