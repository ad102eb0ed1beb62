package org.fibnuma.core.port.pcap;

import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The block format (draft-ietf-opsawg-pcapng): sections, each with its own byte order and interfaces. Options, names,
 * statistics and unknown blocks are skipped.
 */
final class PcapngFormat extends CaptureFormat
{
    static final int SECTION_HEADER = 0x0A0D0D0A;
    static final int INTERFACE_DESCRIPTION = 1;
    static final int OBSOLETE_PACKET = 2;
    static final int SIMPLE_PACKET = 3;
    static final int INTERFACE_STATISTICS = 5;
    static final int ENHANCED_PACKET = 6;
    static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;

    /** Length of a section header without options, in bytes. */
    static final int MIN_SECTION_LENGTH = 28;

    static final int LENGTH_OFFSET = 4;
    private static final int BODY_OFFSET = 8;
    private static final int ORDER_OFFSET = 8;
    private static final int VERSION_MAJOR_OFFSET = 12;
    private static final int TRAILER_LENGTH = Integer.BYTES;
    private static final int MIN_BLOCK_LENGTH = BODY_OFFSET + TRAILER_LENGTH;
    // libpcap's limit.
    private static final int MAX_BLOCK_LENGTH = 16 << 20;
    private static final int MAX_INTERFACES = 65_536;

    private static final int INTERFACE_BODY_LENGTH = 8;
    private static final int SNAP_LENGTH_OFFSET = 4;
    private static final int PACKET_BODY_LENGTH = 20;
    private static final int CAPTURED_LENGTH_OFFSET = 12;
    private static final int ORIGINAL_LENGTH_OFFSET = 16;
    private static final int SIMPLE_BODY_LENGTH = 4;

    private int[] linkTypes = new int[4];
    private long firstSnapLength;
    private int interfaceCount;
    private long blockLength;
    private long blockEnd;

    private PcapngFormat(final CaptureStream stream)
    {
        super(stream);
        this.linkType = PcapReader.LINK_TYPE_PER_FRAME;
        this.blockEnd = stream.offset();
    }

    /** Returns null if a stream of at least {@link #MIN_SECTION_LENGTH} bytes has another format. */
    static PcapngFormat recognize(final CaptureStream stream)
    {
        return stream.unsignedInt(0) == SECTION_HEADER ? new PcapngFormat(stream) : null;
    }

    @Override
    boolean next()
    {
        while (finishBlock())
        {
            if (!stream.require(BODY_OFFSET))
            {
                return stream.end("block header");
            }
            final int type = (int)stream.unsignedInt(0);
            if (type == SECTION_HEADER && !beginSection() || !beginBlock())
            {
                return false;
            }
            switch (type)
            {
                case INTERFACE_DESCRIPTION:
                    if (!describeInterface())
                    {
                        return false;
                    }
                    break;
                case ENHANCED_PACKET:
                    return requireBody(PACKET_BODY_LENGTH) && packet((int)stream.unsignedInt(0));
                case OBSOLETE_PACKET:
                    return requireBody(PACKET_BODY_LENGTH) && packet(stream.unsignedShort(0));
                case SIMPLE_PACKET:
                    return requireBody(SIMPLE_BODY_LENGTH) && simplePacket();
                default:
                    break;
            }
        }
        return false;
    }

    private boolean finishBlock()
    {
        if (blockEnd == stream.offset())
        {
            return true;
        }
        stream.skip(blockEnd - TRAILER_LENGTH - stream.offset());
        if (!stream.require(TRAILER_LENGTH))
        {
            return stream.problem() == null && stream.fail("ends inside a block");
        }
        if (stream.unsignedInt(0) != blockLength)
        {
            return stream.fail("has a block of " + blockLength + " bytes that ends as one of " + stream.unsignedInt(0));
        }
        stream.skip(TRAILER_LENGTH);
        return true;
    }

    private boolean beginSection()
    {
        if (!stream.require(MIN_SECTION_LENGTH))
        {
            return stream.end("section header");
        }
        stream.order(ByteOrder.LITTLE_ENDIAN);
        if (stream.unsignedInt(ORDER_OFFSET) != BYTE_ORDER_MAGIC)
        {
            stream.order(ByteOrder.BIG_ENDIAN);
            if (stream.unsignedInt(ORDER_OFFSET) != BYTE_ORDER_MAGIC)
            {
                return stream.fail("has a section without a valid byte order");
            }
        }
        if (stream.unsignedShort(VERSION_MAJOR_OFFSET) != 1)
        {
            return stream.fail("is of pcapng version " + stream.unsignedShort(VERSION_MAJOR_OFFSET) + ", not 1");
        }
        interfaceCount = 0;
        return true;
    }

    private boolean beginBlock()
    {
        blockLength = stream.unsignedInt(LENGTH_OFFSET);
        if (blockLength < MIN_BLOCK_LENGTH || blockLength > MAX_BLOCK_LENGTH || blockLength % Integer.BYTES != 0)
        {
            return stream.fail("has a block of " + blockLength + " bytes");
        }
        blockEnd = stream.offset() + blockLength;
        stream.skip(BODY_OFFSET);
        return true;
    }

    private boolean requireBody(final int length)
    {
        if (blockEnd - TRAILER_LENGTH - stream.offset() < length)
        {
            return stream.fail("has a block of " + blockLength + " bytes, too short for its type");
        }
        if (!stream.require(length))
        {
            return stream.problem() == null && stream.fail("ends inside a block");
        }
        return true;
    }

    private boolean describeInterface()
    {
        if (!requireBody(INTERFACE_BODY_LENGTH))
        {
            return false;
        }
        if (interfaceCount == MAX_INTERFACES)
        {
            return stream.fail("has more than " + MAX_INTERFACES + " interfaces");
        }
        if (interfaceCount == 0)
        {
            firstSnapLength = stream.unsignedInt(SNAP_LENGTH_OFFSET);
        }
        if (interfaceCount == linkTypes.length)
        {
            linkTypes = Arrays.copyOf(linkTypes, 2 * interfaceCount);
        }
        linkTypes[interfaceCount++] = stream.unsignedShort(0);
        return true;
    }

    private boolean packet(final int interfaceId)
    {
        final long captured = stream.unsignedInt(CAPTURED_LENGTH_OFFSET);
        final long original = stream.unsignedInt(ORIGINAL_LENGTH_OFFSET);
        stream.skip(PACKET_BODY_LENGTH);
        return belongsTo(interfaceId) && frame(captured, original, room());
    }

    private boolean simplePacket()
    {
        final long original = stream.unsignedInt(0);
        stream.skip(SIMPLE_BODY_LENGTH);
        if (!belongsTo(0))
        {
            return false;
        }
        final long snapLength = firstSnapLength == 0 ? original : firstSnapLength;
        return frame(Math.min(original, snapLength), original, room());
    }

    private boolean belongsTo(final int interfaceId)
    {
        if (interfaceId < 0 || interfaceId >= interfaceCount)
        {
            return stream.fail("has a frame of interface " + Integer.toUnsignedString(interfaceId) + " but only " +
                interfaceCount + " interfaces");
        }
        linkType = linkTypes[interfaceId];
        return true;
    }

    private long room()
    {
        return Math.min(MAX_FRAME_LENGTH, blockEnd - TRAILER_LENGTH - stream.offset());
    }
}
