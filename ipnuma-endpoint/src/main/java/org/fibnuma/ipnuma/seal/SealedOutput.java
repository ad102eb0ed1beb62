package org.fibnuma.ipnuma.seal;

import org.fibnuma.ipnuma.session.DatagramOutput;

/**
 * Seals each outgoing datagram of a session. The session's longest datagram must be {@link DatagramSeal#OVERHEAD} bytes
 * shorter than the longest one of the link.
 */
public final class SealedOutput implements DatagramOutput
{
    private final DatagramOutput output;
    private final DatagramSeal seal;
    private long claimed;

    /** Creates a sealing output. Output and seal are for the same peer. */
    public SealedOutput(final DatagramOutput output, final DatagramSeal seal)
    {
        this.output = output;
        this.seal = seal;
    }

    @Override
    public long claim(final int length)
    {
        claimed = output.claim(length + DatagramSeal.OVERHEAD);
        return claimed;
    }

    @Override
    public void commit(final int length, final boolean ecnCapable)
    {
        output.commit(seal.seal(claimed, length), ecnCapable);
    }
}
