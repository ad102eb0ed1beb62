package org.fibnuma.bench.veth;

/** Where the sink of a {@link VethRig} drops what it has counted. */
enum Sink
{
    /** In the device, by an XDP program: little is charged to the forwarder's core for it. */
    XDP("xdp"),
    /** In the kernel's receive path, at its first look. */
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
