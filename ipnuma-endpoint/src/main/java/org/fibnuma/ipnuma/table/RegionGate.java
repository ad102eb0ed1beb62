package org.fibnuma.ipnuma.table;

/** Checks the accesses to one region. Contains copies of all values that the checks read. */
final class RegionGate
{
    private final Region region;
    private final long address;
    private final long length;
    private final long key;
    private final int access;
    private final AddressRanges allowed;
    private boolean revoked;

    RegionGate(final Region region)
    {
        this.region = region;
        this.address = region.address();
        this.length = region.length();
        this.key = region.key();
        this.access = region.access();
        this.allowed = new AddressRanges(region.allow());
    }

    Region region()
    {
        return region;
    }

    boolean isRevoked()
    {
        return revoked;
    }

    void revoke()
    {
        revoked = true;
    }

    /** Returns the address of a byte that {@link #check} has admitted. */
    long at(final long remoteAddress)
    {
        return address + RemoteAddress.offset(remoteAddress);
    }

    /**
     * Checks an access, the source address and the key first. An unknown source learns neither the length nor the
     * access bits of the region. An allowed source with a wrong key learns only that the key is wrong.
     */
    int check(final int wanted, final long remoteAddress, final long shownKey, final int sourceIpv4, final int bytes)
    {
        if (!allowed.contains(sourceIpv4))
        {
            return AccessStatus.NO_ACCESS;
        }
        // The time of one exclusive or over all 64 bits does not depend on the number of equal bits.
        if ((shownKey ^ key) != 0)
        {
            return AccessStatus.WRONG_KEY;
        }
        if (revoked)
        {
            return AccessStatus.REVOKED;
        }
        if ((access & wanted) != wanted)
        {
            return AccessStatus.NO_ACCESS;
        }
        // An offset has 32 bits and the length at most 33: their difference cannot overflow.
        return bytes < 0 || bytes > length - RemoteAddress.offset(remoteAddress) ?
            AccessStatus.OUT_OF_RANGE :
            AccessStatus.OK;
    }
}
