package org.fibnuma.binding.dpdk.eal;

import com.kenai.jffi.Library;
import jnr.ffi.LibraryLoader;
import org.fibnuma.binding.dpdk.layout.DpdkRelease;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.core.UserException;

/**
 * The installed DPDK libraries, loaded once. File names with their ABI version are used, so that no development package
 * is needed.
 */
final class DpdkLibraries
{
    private static final String HOW_TO_INSTALL = "apt-get install dpdk";

    private static DpdkLibraries loaded;

    private final DpdkRelease release;
    private final EalLibrary eal;
    private final MempoolLibrary mempool;
    private final MbufLibrary mbuf;
    private final EthdevLibrary ethdev;

    private DpdkLibraries(final DpdkRelease release, final EalLibrary eal)
    {
        this.release = release;
        this.eal = eal;
        this.mempool = load(MempoolLibrary.class, "rte_mempool", release);
        this.mbuf = load(MbufLibrary.class, "rte_mbuf", release);
        this.ethdev = load(EthdevLibrary.class, "rte_ethdev", release);
    }

    /**
     * Returns the libraries, always the same object.
     *
     * @throws UserException if they are missing or of an unsupported release.
     */
    static synchronized DpdkLibraries get()
    {
        if (loaded == null)
        {
            // Loading the C library first configures jnr-ffi for calls with six and more arguments.
            LibC.get();
            loaded = load();
        }
        return loaded;
    }

    DpdkRelease release()
    {
        return release;
    }

    EalLibrary eal()
    {
        return eal;
    }

    MempoolLibrary mempool()
    {
        return mempool;
    }

    MbufLibrary mbuf()
    {
        return mbuf;
    }

    EthdevLibrary ethdev()
    {
        return ethdev;
    }

    /**
     * Returns the address of a function or variable of a library, such as {@code rte_ethdev}; of a thread-local
     * variable, that of the calling thread.
     */
    long address(final String library, final String symbol)
    {
        final long address = open(fileName(library, release)).getSymbolAddress(symbol);
        if (address == 0)
        {
            throw new UserException(fileName(library, release) + " has no " + symbol +
                ": it is not the library of this name; " + HOW_TO_INSTALL);
        }
        return address;
    }

    /**
     * Returns the release of a version text, the result of {@code rte_version()}.
     *
     * @throws UserException if the release is not supported.
     */
    static DpdkRelease releaseOf(final String version)
    {
        final DpdkRelease release = DpdkRelease.of(version);
        if (release == null)
        {
            throw new UserException("this machine has " + version + ", but only DPDK 22.11, 23.11 and 24.11 " +
                "are supported: install one of these (Debian 12: " + HOW_TO_INSTALL + ")");
        }
        return release;
    }

    private static DpdkLibraries load()
    {
        for (final DpdkRelease candidate : DpdkRelease.values())
        {
            if (open(fileName("rte_eal", candidate)) != null)
            {
                final EalLibrary eal = load(EalLibrary.class, "rte_eal", candidate);
                final DpdkRelease release = releaseOf(eal.rte_version());
                if (release != candidate)
                {
                    throw new UserException(fileName("rte_eal", candidate) + " is of " + eal.rte_version() +
                        "; reinstall it: apt-get install --reinstall dpdk");
                }
                return new DpdkLibraries(release, eal);
            }
        }
        throw new UserException("DPDK is not installed, or of a release other than 22.11, 23.11 and 24.11: " +
            HOW_TO_INSTALL + " (looked for librte_eal.so.23, .24 and .25)");
    }

    private static <T> T load(final Class<T> type, final String library, final DpdkRelease release)
    {
        final String file = fileName(library, release);
        // Opened globally first, so that drivers loaded by EAL find its symbols.
        if (open(file) == null)
        {
            throw new UserException("cannot load " + file + " (" + Library.getLastError() + "): " + HOW_TO_INSTALL);
        }
        return LibraryLoader.create(type).load(file);
    }

    private static Library open(final String file)
    {
        return Library.getCachedInstance(file, Library.LAZY | Library.GLOBAL);
    }

    private static String fileName(final String library, final DpdkRelease release)
    {
        return "lib" + library + ".so." + release.abi();
    }
}
