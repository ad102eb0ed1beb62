package org.fibnuma.binding.dpdk;

import com.kenai.jffi.Library;
import org.fibnuma.core.Require;

/** What tests over DPDK need of the machine. */
public final class RequireDpdk
{
    private RequireDpdk()
    {
    }

    /** The libraries of a known release. */
    public static void libraries()
    {
        boolean found = false;
        for (final String file : new String[]{"librte_eal.so.23", "librte_eal.so.24", "librte_eal.so.25"})
        {
            found |= Library.getCachedInstance(file, Library.LAZY | Library.GLOBAL) != null;
        }
        Require.that(found, "needs DPDK: apt-get install dpdk");
    }
}
