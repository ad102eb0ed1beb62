package org.fibnuma.bench.veth;

import java.util.Locale;

/** What becomes of frames at the far end of the egress pair; the same for every contestant of a run. */
enum SinkKind
{
    /**
     * An XDP program drops them, which costs the forwarder's core least: a veth has no wire, so that what the receiver
     * does happens in the sender's context.
     */
    XDP,
    /** The sink's kernel receives them and drops them at its first look. */
    KERNEL;

    /** As it is typed and printed. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
