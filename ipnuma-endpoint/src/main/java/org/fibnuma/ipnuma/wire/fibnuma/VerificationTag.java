package org.fibnuma.ipnuma.wire.fibnuma;

import java.util.random.RandomGenerator;

/**
 * One side's random numbers in a handshake, as the verification tag of RFC 9260 section 3.1: a session of 32 bits,
 * never 0, and a nonce of 128 bits. A side that sends the other's tag back has received it at that side's address.
 */
public final class VerificationTag
{
    private int session;
    private long first;
    private long second;

    /** All zeros: the tag of a side that has shown none. */
    public VerificationTag()
    {
    }

    /**
     * The session.
     *
     * @return 0 where no tag is known.
     */
    public int session()
    {
        return session;
    }

    /**
     * First half of the nonce.
     *
     * @return 64 bits.
     */
    public long first()
    {
        return first;
    }

    /**
     * Second half of the nonce.
     *
     * @return 64 bits.
     */
    public long second()
    {
        return second;
    }

    /**
     * Takes other numbers.
     *
     * @param random that nobody can predict.
     */
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

    /**
     * Takes the numbers of another tag.
     *
     * @param other any.
     */
    public void copy(final VerificationTag other)
    {
        session = other.session;
        first = other.first;
        second = other.second;
    }

    /**
     * Takes the numbers of a datagram's sender.
     *
     * @param handshake a datagram of the handshake, with both nonces.
     */
    public void copySource(final FibnumaHeaderFlyweight handshake)
    {
        session = handshake.sourceSession();
        first = handshake.getLong(FibnumaHeaderFlyweight.SOURCE_NONCE_OFFSET);
        second = handshake.getLong(FibnumaHeaderFlyweight.SOURCE_NONCE_OFFSET + Long.BYTES);
    }

    /**
     * Whether this is the tag of a datagram's sender.
     *
     * @param handshake a datagram of the handshake, with both nonces.
     * @return true where all 160 bits agree.
     */
    public boolean isSource(final FibnumaHeaderFlyweight handshake)
    {
        return equals(handshake, handshake.sourceSession(), FibnumaHeaderFlyweight.SOURCE_NONCE_OFFSET);
    }

    /**
     * Whether a datagram is for the side with this tag.
     *
     * @param handshake a datagram of the handshake, with both nonces.
     * @return true where all 160 bits agree.
     */
    public boolean isDestination(final FibnumaHeaderFlyweight handshake)
    {
        return equals(handshake, handshake.destinationSession(), FibnumaHeaderFlyweight.DESTINATION_NONCE_OFFSET);
    }

    /** In a time that does not depend on how many bits agree. */
    private boolean equals(final FibnumaHeaderFlyweight handshake, final int otherSession, final int nonceOffset)
    {
        return (session ^ otherSession | first ^ handshake.getLong(nonceOffset) |
            second ^ handshake.getLong(nonceOffset + Long.BYTES)) == 0;
    }
}
