package org.fibnuma.binding.dpdk.eal;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.dpdk.layout.DpdkRelease;
import org.fibnuma.binding.libc.ArgumentVector;
import org.fibnuma.core.agent.ThreadEnd;

import java.nio.file.Path;

/**
 * DPDK's environment, one for the whole process and for as long as it lives: started with the first port and kept when
 * the last one closes, since it cannot be started twice. Threads of ours are made known to it one by one; it pins none
 * of them and makes no workers of its own.
 */
public final class Eal
{
    private static final int IOVA_PHYSICAL = 1;

    private static Eal started;
    private static DpdkException failed;
    private static boolean pciExpected;

    /** Set for threads that asked: whether DPDK knows them. */
    private static final ThreadLocal<Boolean> KNOWN = new ThreadLocal<>();

    private final DpdkLibraries libraries;
    private final EalArguments arguments;

    private Eal(final DpdkLibraries libraries, final EalArguments arguments)
    {
        this.libraries = libraries;
        this.arguments = arguments;
    }

    /** A device on the PCI bus will be opened, not necessarily as the first; before {@link #start}. */
    public static synchronized void expectPci()
    {
        pciExpected = true;
    }

    /**
     * The environment, started where it is not yet.
     *
     * @param needsPci whether a device on the PCI bus is to be opened.
     * @return always the same object.
     * @throws DpdkException where the libraries are missing or refuse, or where PCI is wanted too late.
     */
    public static synchronized Eal start(final boolean needsPci)
    {
        if (failed != null)
        {
            throw new DpdkException(failed.getMessage(), failed);
        }
        if (started == null)
        {
            started = startFirst(needsPci || pciExpected);
        }
        else if (needsPci && !started.arguments.withPci())
        {
            throw new DpdkException("DPDK was started without PCI in this process, for ports that are virtual: " +
                "open those with a PCI address first");
        }
        return started;
    }

    private static Eal startFirst(final boolean needsPci)
    {
        final DpdkLibraries libraries = DpdkLibraries.get();
        final EalArguments arguments = EalArguments.forThisMachine(needsPci);
        final DpdkException[] failure = new DpdkException[1];
        // The thread that starts it stays core number 0 to DPDK, so it is one that nobody uses for anything else.
        final Thread starter = new Thread(() -> failure[0] = initialize(libraries, arguments), "dpdk-eal");
        starter.start();
        boolean interrupted = false;
        while (starter.isAlive())
        {
            try
            {
                starter.join();
            }
            catch (final InterruptedException ex)
            {
                interrupted = true;
            }
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        if (failure[0] != null)
        {
            failed = failure[0];
            throw failed;
        }
        return new Eal(libraries, arguments);
    }

    private static DpdkException initialize(final DpdkLibraries libraries, final EalArguments arguments)
    {
        final EalLibrary eal = libraries.eal();
        try (EalLog log = new EalLog(eal); ArgumentVector argv = new ArgumentVector(arguments.list()))
        {
            final boolean initialized = eal.rte_eal_init(argv.count(), argv.address()) >= 0;
            final String error = initialized ? "" : eal.rte_strerror(errno(libraries));
            tidy(eal.rte_eal_get_runtime_dir(), initialized && arguments.telemetry());
            return initialized ? null : new DpdkException(EalProblem.explain(log.reason(), error, arguments));
        }
        catch (final RuntimeException | LinkageError ex)
        {
            return new DpdkException("DPDK cannot be started: " + ex.getMessage(), ex);
        }
    }

    /** The directory of this process is empty without telemetry, and of no use; else it goes with the process. */
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
     * Makes the calling thread known until its {@link ThreadEnd}, so that pools keep a cache of mbufs for it: without,
     * each mbuf given back costs an atomic operation. Harmless when repeated. Of 127 threads at a time; others do
     * without.
     *
     * @return whether DPDK knows it now.
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

    /**
     * Which DPDK this is, for people.
     *
     * @return such as {@code DPDK 22.11.11}.
     */
    public String version()
    {
        return libraries.eal().rte_version();
    }

    /**
     * What whoever opens the first port should be told.
     *
     * @return one line, or an empty text where nothing is amiss.
     */
    public String advice()
    {
        return arguments.advice();
    }

    /**
     * Whether devices address memory by physical addresses, since there is no IOMMU between.
     *
     * @return false with an IOMMU and where no device is real.
     */
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

    /** The reason why the last call of this thread failed, where its result does not say. */
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
