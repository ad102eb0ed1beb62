package org.fibnuma.core.kernel;

/** Which of the packets of a family that an interface receives and the kernel could forward a router takes. */
public enum Transit
{
    /** None: the kernel forwards or drops them. */
    KERNEL,
    /** Those of the flows in the {@link org.fibnuma.core.flow.FlowTable}; the kernel has the others. */
    FLOWS,
    /** All. */
    ALL;

    /** Returns {@link #ALL} if the host forwards a family and {@link #KERNEL} otherwise. */
    public static Transit of(final boolean forwarding)
    {
        return forwarding ? ALL : KERNEL;
    }

    /** Returns whichever takes less. */
    public Transit and(final Transit other)
    {
        return compareTo(other) < 0 ? this : other;
    }
}
