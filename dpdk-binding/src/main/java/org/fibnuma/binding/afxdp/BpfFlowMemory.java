package org.fibnuma.binding.afxdp;

import org.agrona.CloseHelper;
import org.fibnuma.binding.bpf.BpfMap;
import org.fibnuma.binding.bpf.BpfMapType;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.core.flow.FlowMemory;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.flow.FlowTableLayout;

/**
 * Memory of a table of flows that the XDP programs of all ports read and this process writes: two maps of the kernel,
 * which allocates them whole.
 */
public final class BpfFlowMemory implements FlowMemory
{
    private final BpfMap buckets;
    private final BpfMap lines;

    private BpfFlowMemory(final BpfMap buckets, final BpfMap lines)
    {
        this.buckets = buckets;
        this.lines = lines;
    }

    /**
     * Allocates memory for a table of a capacity.
     *
     * @throws SystemCallException if the kernel refuses.
     */
    public static BpfFlowMemory allocate(final int capacity)
    {
        BpfMap buckets = null;
        BpfMap lines = null;
        boolean complete = false;
        try
        {
            buckets = map(FlowTable.bucketCount(capacity), "fibnuma_buckets");
            lines = map(FlowTable.lineCount(capacity), "fibnuma_lines");
            complete = true;
            return new BpfFlowMemory(buckets, lines);
        }
        finally
        {
            if (!complete)
            {
                CloseHelper.closeAll(buckets, lines);
            }
        }
    }

    private static BpfMap map(final int count, final String name)
    {
        final BpfMap map = BpfMap.create(
            BpfMapType.ARRAY, Integer.BYTES, FlowTableLayout.LINE_LENGTH, count, BpfMap.MMAPABLE, name);
        map.mapValues();
        return map;
    }

    /** Returns the map of the buckets, by index. */
    BpfMap bucketMap()
    {
        return buckets;
    }

    /** Returns the map of the lines, by direction. */
    BpfMap lineMap()
    {
        return lines;
    }

    @Override
    public long buckets()
    {
        return buckets.mapValues();
    }

    @Override
    public long lines()
    {
        return lines.mapValues();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(buckets, lines);
    }
}
