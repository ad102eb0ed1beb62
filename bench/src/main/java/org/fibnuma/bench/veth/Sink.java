package org.fibnuma.bench.veth;

/** Where the sink of a {@link VethRig} drops the frames that it has counted. */
enum Sink
{
    /** An XDP program on the device drops the frames; this takes little time on the forwarder's core. */
    XDP("xdp"),
    /** The kernel drops the frames at the first check of its receive path. */
    KERNEL("kernel");

    private final String label;

    Sink(final String label)
    {
        this.label = label;
    }

    String label()
    {
        return label;
    }
}
