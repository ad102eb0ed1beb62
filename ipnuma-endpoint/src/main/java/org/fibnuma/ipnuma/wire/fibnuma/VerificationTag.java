package org.fibnuma.ipnuma.wire.fibnuma;

import java.util.random.RandomGenerator;

/**
 * One side's random numbers in a handshake, like the verification tag of RFC 9260 section 3.1: a session of 32 bits,
 * never 0, and a nonce of 128 bits. A side that returns the other side's verification tag has received it at its
 * address.
 */
public final class VerificationTag
{
    private int session;
    private long first;
    private long second;

    /** Creates an unknown verification tag: all zeros. */
    public VerificationTag()
    {
    }

    /** Returns the session, 0 if the verification tag is unknown. */
    public int session()
    {
        return session;
    }

    /** Returns the first 64 bits of the nonce. */
    public long first()
    {
        return first;
    }

    /** Returns the last 64 bits of the nonce. */
    public long second()
    {
        return second;
    }

    /** Draws new numbers from an unpredictable generator. */
    public void draw(final RandomGenerator random)
    {
        do
        {
            session = random.nextInt();
        }
        while (session == 0);
        first = random.nextLong();
        second = random.nextLong();
    }

    /** Copies the numbers of another verification tag. */
    public void copy(final VerificationTag other)
    {
        session = other.session;
        first = other.first;
        second = other.second;
    }

    /** Copies the numbers of the sender of a handshake datagram. */
    public void copySource(final FibnumaHeaderFlyweight handshake)
    {
        session = handshake.sourceSession();
        first = handshake.getLong(FibnumaHeaderFlyweight.SOURCE_NONCE_OFFSET);
        second = handshake.getLong(FibnumaHeaderFlyweight.SOURCE_NONCE_OFFSET + Long.BYTES);
    }

    /** Returns whether all 160 bits equal those of the sender in a handshake datagram. */
    public boolean isSource(final FibnumaHeaderFlyweight handshake)
    {
        return equals(handshake, handshake.sourceSession(), FibnumaHeaderFlyweight.SOURCE_NONCE_OFFSET);
    }

    /** Returns whether all 160 bits equal those of the receiver in a handshake datagram. */
    public boolean isDestination(final FibnumaHeaderFlyweight handshake)
    {
        return equals(handshake, handshake.destinationSession(), FibnumaHeaderFlyweight.DESTINATION_NONCE_OFFSET);
    }

    /** Compares in a time that is independent of the number of equal bits. */
    private boolean equals(final FibnumaHeaderFlyweight handshake, final int otherSession, final int nonceOffset)
    {
        return (session ^ otherSession | first ^ handshake.getLong(nonceOffset) |
            second ^ handshake.getLong(nonceOffset + Long.BYTES)) == 0;
    }
}
