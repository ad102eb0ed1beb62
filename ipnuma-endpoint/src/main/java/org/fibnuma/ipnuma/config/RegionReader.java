package org.fibnuma.ipnuma.config;

import org.fibnuma.core.config.ConfigName;
import org.fibnuma.core.config.TomlSection;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RemoteAddress;

import java.util.ArrayList;
import java.util.List;

/** Reads the tables {@code [[region]]}. */
final class RegionReader
{
    private static final String REGION = "region";
    private static final String ID = "id";
    private static final String NAME = "name";
    private static final String KEY = "key";
    private static final String ZERO = "zero";
    private static final String ACCESS = "access";
    private static final String ALLOW = "allow";
    private static final String SIZE = "size-kib";

    private static final String NO_KEY = "none";
    private static final String RANDOM_KEY = "random";
    private static final String GIVEN_KEY = "0x[0-9a-fA-F]{1,16}";
    private static final int HEX_DIGITS_FROM = 2;
    private static final int HEX = 16;

    private static final int KIB = 1 << 10;
    private static final int PAGE_KIB = 4;
    private static final int MAX_SIZE_KIB = 1 << 20;
    private static final int DEFAULT_SIZE_KIB = 64;

    private final TomlSection root;
    private final List<PeerConfig> peers;
    private final List<RegionConfig> regions = new ArrayList<>();

    RegionReader(final TomlSection root, final List<PeerConfig> peers)
    {
        this.root = root;
        this.peers = peers;
    }

    List<RegionConfig> read()
    {
        for (final TomlSection section : root.tables(REGION))
        {
            read(section);
            section.refuseUnknownKeys();
        }
        return regions;
    }

    private void read(final TomlSection section)
    {
        if (!section.has(NAME))
        {
            section.missing(NAME, "give the region a name");
        }
        final String name = section.parsed(NAME, ConfigName::parse, "");
        final int id = section.integer(ID, 1, RemoteAddress.MAX_REGION_ID, regions.size() + 1);
        final int sizeKib = section.integer(SIZE, PAGE_KIB, MAX_SIZE_KIB, DEFAULT_SIZE_KIB);
        if (sizeKib % PAGE_KIB != 0)
        {
            section.wrong(SIZE, sizeKib + " is not a whole number of pages; give a multiple of " + PAGE_KIB);
        }
        final int access = section.parsed(ACCESS, RegionAccess::parse, RegionAccess.WRITE);
        final List<Ipv4Prefix> allow = allow(section);
        final long key = section.parsed(KEY, RegionReader::key, Region.randomKey());
        final boolean zero = section.bool(ZERO, false);
        if (!name.isEmpty() && regions.stream().anyMatch(region -> region.name().equals(name)))
        {
            section.wrong(NAME, "\"" + name + "\" is another region's; give each its own");
        }
        if (regions.stream().anyMatch(region -> region.id() == id))
        {
            section.wrong(ID, id + " is another region's; give each its own");
        }
        if (zero && regions.stream().anyMatch(RegionConfig::isZero))
        {
            section.wrong(ZERO, "is another region's; addresses without a region reach one only");
        }
        regions.add(new RegionConfig(id, name, sizeKib * KIB, allow, access, key, zero));
    }

    private List<Ipv4Prefix> allow(final TomlSection section)
    {
        if (!section.has(ALLOW))
        {
            return peers.stream().map(peer -> Ipv4Prefix.of(peer.ipv4(), Integer.SIZE)).toList();
        }
        final List<Ipv4Prefix> allow = new ArrayList<>();
        for (final String text : section.strings(ALLOW))
        {
            final Ipv4Prefix prefix = section.parse(ALLOW, text, Ipv4Prefix::parse, null);
            if (prefix != null)
            {
                allow.add(prefix);
            }
        }
        return allow;
    }

    private static long key(final String text)
    {
        if (text.equals(NO_KEY))
        {
            return Region.NO_KEY;
        }
        if (text.equals(RANDOM_KEY))
        {
            return Region.randomKey();
        }
        final long key = text.matches(GIVEN_KEY) ? Long.parseUnsignedLong(text.substring(HEX_DIGITS_FROM), HEX) : 0;
        if (key == Region.NO_KEY)
        {
            throw new IllegalArgumentException("\"" + text + "\" is no key; give \"" + RANDOM_KEY + "\", \"" + NO_KEY +
                "\" or 64 bits of your own as \"0x0123456789abcdef\"");
        }
        return key;
    }
}
