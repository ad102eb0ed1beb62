package org.fibnuma.core.flow;

/**
 * Memory of a {@link FlowTable}: buckets, an index by hash, and one line for each direction of a flow. An XDP program
 * and the workers read both. Numbers are in the machine's byte order, addresses, ports and checksums as they stand in a
 * packet. Both directions of a flow have neighbouring numbers, so that one is found from the other by XOR 1.
 */
public final class FlowTableLayout
{
    /** Length of a bucket and of a line in bytes: a cache line. */
    public static final int LINE_LENGTH = 64;

    /** Bucket: number of directions that have their entry in their second bucket because this one was full. */
    public static final int OVERFLOWS_OFFSET = 0;
    /** Bucket: its entries, 32 bits each: tag and number of a direction, 0 for none. */
    public static final int ENTRIES_OFFSET = Integer.BYTES;
    /** Entries of a bucket. */
    public static final int ENTRIES = LINE_LENGTH / Integer.BYTES - 1;
    /** Position of the tag in an entry, eight bits of the hash. */
    public static final int TAG_SHIFT = 24;
    /** Mask of the direction in an entry. */
    public static final int DIRECTION_MASK = (1 << TAG_SHIFT) - 1;

    /** Line: IPv6 source, or IPv4 source and IPv4 destination as in the header; the rest of an IPv4 key is 0. */
    public static final int SOURCE_OFFSET = 0;
    /** Line: IPv6 destination. */
    public static final int DESTINATION_OFFSET = 2 * Long.BYTES;
    /** Line: source and destination port; of ICMP echo the identifier, then type and code. */
    public static final int PORTS_OFFSET = 4 * Long.BYTES;
    /** Line: receiving interface, protocol, {@link #IPV6} and {@link #VALID}; 32 bits. */
    public static final int WORD_OFFSET = PORTS_OFFSET + Integer.BYTES;
    /** Line: {@link #NAT} and the number of the only egress interface, 32 bits. */
    public static final int TRANSLATION_OFFSET = WORD_OFFSET + Integer.BYTES;
    /** Line: what translation adds to the checksum of the IPv4 header, 16 bits, one's complement. */
    public static final int HEADER_DELTA_OFFSET = TRANSLATION_OFFSET + Integer.BYTES;
    /** Line: what translation adds to the checksum of the transport header, 16 bits, one's complement. */
    public static final int TRANSPORT_DELTA_OFFSET = HEADER_DELTA_OFFSET + Short.BYTES;
    /** Line: packets forwarded, 64 bits. */
    public static final int PACKETS_OFFSET = TRANSPORT_DELTA_OFFSET + Short.BYTES;
    /** Line: bytes forwarded from the network header on, 64 bits. */
    public static final int BYTES_OFFSET = PACKETS_OFFSET + Long.BYTES;

    /** Bits of the number of the receiving interface, see {@link org.fibnuma.core.frame.InterfaceNumber}. */
    public static final int INTERFACE_BITS = 18;
    public static final int INTERFACE_MASK = (1 << INTERFACE_BITS) - 1;
    /** Position of the protocol in the word. */
    public static final int PROTOCOL_SHIFT = INTERFACE_BITS;
    /** The addresses of the line are IPv6. */
    public static final int IPV6 = 1 << 30;
    /** The line is in use. The XDP program clears the bit when the connection closes. */
    public static final int VALID = 1 << 31;

    /** Addresses and ports are replaced by those of the other direction's line, swapped. */
    public static final int NAT = 1 << 31;

    /** Factor of the hash beside the secret one. */
    public static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    /** Shift that folds the hash before the last multiplication. */
    public static final int FOLD_SHIFT = 32;
    /** Position of the second bucket in the hash. */
    public static final int SECOND_BUCKET_SHIFT = 24;
    /** Position of the tag in the hash. */
    public static final int TAG_IN_HASH_SHIFT = 36;

    private FlowTableLayout()
    {
    }
}
