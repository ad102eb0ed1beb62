package org.fibnuma.ipnuma.endpoint;

import org.agrona.DirectBuffer;
import org.fibnuma.ipnuma.client.ClientLayout;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.RawClient;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A client that sends random requests, valid and invalid, and knows every answer by a model of the peer's memory. It
 * changes only its own slice of that memory, so that no other client changes what it reads.
 */
final class FuzzedClient
{
    static final int PEER = 2;
    static final int SHARED = 6;
    static final int READ_ONLY = 7;
    static final int SLICE = 16 * 1024;

    private static final int OTHER_REGION = 8;
    private static final int NO_REGION = 9;
    private static final int PAGE = 4096;
    private static final int BURST = 4;
    private static final int OTHER_GENERATION = 5 << 16;
    private static final int[] LENGTHS = {1, 2, 3, 4, 7, 8, 63, 64, 65, 500, 1000, 1023, 1024};
    private static final int[] BAD_LENGTHS = {0, -1, 1025, 4096, Integer.MIN_VALUE, Integer.MAX_VALUE};

    /** A region of the peer. */
    record Remote(byte[] bytes, long key, int access)
    {
    }

    /** What an answer has to be; null bytes for one without. */
    private record Expected(int type, int status, byte[] bytes, long value)
    {
    }

    private enum Phase
    {
        RUNNING, TO_BE_GIVEN_UP, SILENT, LEAVING
    }

    private final Path directory;
    private final int index;
    private final WireFormat format;
    private final Map<Integer, Remote> regions;
    private final SplittableRandom random;
    private final Map<Long, Expected> expected = new HashMap<>();
    private final Map<Integer, Long> keys = new HashMap<>();
    private RawClient raw;
    private Phase phase;
    private long correlation;
    private int ownRegion;
    private int answered;
    private int givenUp;

    FuzzedClient(final Path directory, final int index, final WireFormat format, final Map<Integer, Remote> regions,
        final SplittableRandom random)
    {
        this.directory = directory;
        this.index = index;
        this.format = format;
        this.regions = regions;
        this.random = random;
        connect();
    }

    private void connect()
    {
        raw = new RawClient(directory);
        phase = Phase.RUNNING;
        keys.clear();
        ownRegion = 0;
    }

    /** Returns the number of answers. */
    int answered()
    {
        return answered;
    }

    /** Returns how often it did what ends a client. */
    int givenUp()
    {
        return givenUp;
    }

    /** Takes answers, and sends a few requests when all earlier ones are answered. */
    void step(final long nowNs, final boolean sends)
    {
        if (phase != Phase.SILENT)
        {
            raw.beat(nowNs);
        }
        if (phase == Phase.RUNNING)
        {
            assertEquals(ClientLayout.SLOT_ACTIVE, raw.state(), () -> this + " was given up");
            raw.poll(this::onAnswer);
            if (sends && isQuiet())
            {
                send();
            }
        }
        else if (raw.state() == ClientLayout.SLOT_DEAD)
        {
            givenUp++;
            leave();
        }
        else if (phase == Phase.LEAVING && raw.state() == ClientLayout.SLOT_FREE)
        {
            connect();
            raw.beat(nowNs);
        }
    }

    /** Returns whether all requests are executed and answered. */
    boolean isQuiet()
    {
        return phase == Phase.RUNNING && expected.isEmpty() && raw.isExecuted();
    }

    private void leave()
    {
        raw.close();
        phase = Phase.LEAVING;
    }

    private void send()
    {
        if (random.nextInt(60) == 0)
        {
            end();
            return;
        }
        for (int i = 0; i < BURST; i++)
        {
            switch (random.nextInt(12))
            {
                case 0, 1, 2 -> write();
                case 3, 4, 5 -> read();
                case 6, 7, 8 -> atomic();
                case 9 -> setKey();
                case 10 -> flush();
                default -> control();
            }
        }
    }

    /** Ends the connection, mostly by something that no client may do. */
    private void end()
    {
        phase = Phase.TO_BE_GIVEN_UP;
        switch (random.nextInt(10))
        {
            case 0 -> raw.send(new int[] {0, 9, 50, 0xFFFF, 101, 105}[random.nextInt(6)], new byte[64]);
            case 1 -> raw.send(Integer.MIN_VALUE | 1 + random.nextInt(9), new byte[64]);
            case 2 -> raw.send(1 + random.nextInt(8), new byte[random.nextInt(16)]);
            case 3 -> raw.send(
                ClientMessage.WRITE, request(target(), 1).putInt(BAD_LENGTHS[random.nextInt(6)]).array());
            case 4 -> raw.send(ClientMessage.WRITE, Arrays.copyOf(
                request(target(), 1).putInt(1000).array(), ClientMessage.DATA_OFFSET + random.nextInt(1000)));
            case 5 -> raw.send(ClientMessage.ATOMIC,
                Arrays.copyOf(request(target(), 1).array(), 16 + random.nextInt(24)));
            case 6 -> raw.sendWithLength(1 + random.nextInt(8), 64 * 1024 + random.nextInt(Integer.MAX_VALUE - 70_000));
            case 7 -> raw.send(ClientMessage.ADD_REGION, request(0, 1).putLong(PAGE).putInt(7)
                .putInt(random.nextBoolean() ? -1 : 1 << 20).putInt(-1).array());
            case 8 ->
            {
                raw.sendHalf(random.nextInt(1000));
                phase = Phase.SILENT;
            }
            default -> leave();
        }
    }

    private static ByteBuffer request(final long target, final long number)
    {
        return ByteBuffer.allocate(64).order(ByteOrder.nativeOrder()).putLong(target).putLong(number);
    }

    private long target()
    {
        return ClientMessage.target(PEER, SHARED, random.nextInt(4 * SLICE));
    }

    /** An access: mostly in the own slice, often across a page; sometimes where it is refused. */
    private final class Access
    {
        private final int length;
        private int peer = PEER;
        private int region = SHARED;
        private long offset;

        Access(final int length)
        {
            this.length = length;
            final int choice = random.nextInt(16);
            offset = (long)index * SLICE + random.nextInt(SLICE - 1024);
            if (choice < 6 && length > 0)
            {
                offset = index * SLICE + (1 + random.nextInt(3)) * PAGE - random.nextInt(Math.min(length, 1024) + 1);
            }
            else if (choice == 6)
            {
                region = new int[] {READ_ONLY, OTHER_REGION, NO_REGION, 0, 0xFFFF}[random.nextInt(5)];
                offset = random.nextInt(2 * PAGE);
            }
            else if (choice == 7)
            {
                offset = new long[] {4 * SLICE, 4 * SLICE + 1, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFFL, 0xFFFF_FFFCL,
                    0xFFFF_F000L - 4, Long.MIN_VALUE + 4 * SLICE}[random.nextInt(8)];
            }
            else if (choice == 8)
            {
                peer = new int[] {0, 1, 3, 0xFFFF}[random.nextInt(4)];
            }
        }

        long target()
        {
            return ClientMessage.target(peer, region, offset);
        }

        /** Returns the status that the local endpoint gives without asking the peer, OK if it asks. */
        int localStatus()
        {
            return peer != PEER ? ClientStatus.NO_PEER :
                (offset & 0xFFFF_FFFFL) + length > 1L << 32 ? AccessStatus.OUT_OF_RANGE : ClientStatus.OK;
        }

        /** Returns the status of the region table, as chapter 2 of the specification has it. */
        int remoteStatus(final int wanted)
        {
            final Remote remote = regions.get(region);
            if (remote == null)
            {
                return AccessStatus.NO_REGION;
            }
            if (keys.getOrDefault(region, 0L) != remote.key && format == WireFormat.FIBNUMA)
            {
                return AccessStatus.WRONG_KEY;
            }
            if ((remote.access & wanted) == 0)
            {
                return AccessStatus.NO_ACCESS;
            }
            return (offset & 0xFFFF_FFFFL) + length > remote.bytes.length ? AccessStatus.OUT_OF_RANGE : AccessStatus.OK;
        }

        byte[] bytes()
        {
            return Arrays.copyOfRange(regions.get(region).bytes, (int)offset, (int)offset + length);
        }

        void store(final byte[] source, final int count)
        {
            System.arraycopy(source, 0, regions.get(region).bytes, (int)offset, count);
        }
    }

    private void write()
    {
        final Access access = new Access(LENGTHS[random.nextInt(LENGTHS.length)]);
        final byte[] data = new byte[access.length];
        random.nextBytes(data);
        final long number = random.nextInt(3) == 0 ? 0 : ++correlation;
        final int flags = random.nextInt(4);
        final ByteBuffer request = ByteBuffer.allocate(ClientMessage.DATA_OFFSET + access.length)
            .order(ByteOrder.nativeOrder())
            .putLong(access.target()).putLong(number).putInt(access.length).putInt(flags).put(data);
        final boolean isOutdated = random.nextInt(20) == 0;
        raw.send(ClientMessage.WRITE | (isOutdated ? OTHER_GENERATION : 0), request.array());
        int status = isOutdated ? ClientStatus.NOT_SENT : access.localStatus();
        if (status == ClientStatus.OK)
        {
            final int remote = access.remoteStatus(RegionAccess.WRITE);
            status = unsent(access) ? AccessStatus.OUT_OF_RANGE :
                format == WireFormat.FIBNUMA ? remote : ClientStatus.UNCONFIRMED;
            if (remote == AccessStatus.OK)
            {
                access.store(data, data.length);
            }
            else if (remote == AccessStatus.OUT_OF_RANGE && access.offset < regions.get(access.region).bytes.length)
            {
                // Two TLPs, of which the first is in the region, which ends with a page.
                access.store(data, (int)(regions.get(access.region).bytes.length - access.offset));
            }
        }
        if (number != 0)
        {
            expected.put(number, new Expected(ClientMessage.WRITE_DONE, status, null, 0));
        }
    }

    /** Returns whether the format has no address for an access. */
    private boolean unsent(final Access access)
    {
        return format == WireFormat.IPNUMA_1G && access.region > 0xFF;
    }

    private void read()
    {
        final boolean isBad = random.nextInt(12) == 0;
        final int[] lengths = isBad ? BAD_LENGTHS : LENGTHS;
        final Access access = new Access(lengths[random.nextInt(lengths.length)]);
        final boolean isOutdated = random.nextInt(20) == 0;
        raw.send(ClientMessage.READ | (isOutdated ? OTHER_GENERATION : 0),
            request(access.target(), ++correlation).putInt(access.length).array());
        int status = isOutdated ? ClientStatus.UNANSWERED :
            isBad ? ClientStatus.BAD_REQUEST : access.localStatus();
        status = status == ClientStatus.OK ? answeredStatus(access, RegionAccess.READ) : status;
        expected.put(correlation,
            new Expected(ClientMessage.READ_DONE, status, status == ClientStatus.OK ? access.bytes() : null, 0));
    }

    /** Returns the status of a read or an atomic that the endpoint sends. */
    private int answeredStatus(final Access access, final int wanted)
    {
        final int remote = access.remoteStatus(wanted);
        return switch (format)
        {
            case FIBNUMA -> remote;
            case IPNUMA_1G -> ClientStatus.UNSUPPORTED;
            default -> remote == AccessStatus.OK ? remote : AccessStatus.NO_ACCESS;
        };
    }

    private void atomic()
    {
        final int width = new int[] {4, 8, 8, 0, 3, -8}[random.nextInt(random.nextInt(4) == 0 ? 6 : 3)];
        final int operation = random.nextInt(16) == 0 ? random.nextInt() | 4 : 1 + random.nextInt(3);
        final Access access = new Access(Math.max(0, width));
        access.offset &= random.nextInt(4) == 0 ? -1 : -8;
        final boolean isValid = operation >= 1 && operation <= 3 && (width == 4 || width == 8);
        final long operand = random.nextLong();
        long compare = random.nextLong();
        int status = !isValid ? ClientStatus.BAD_REQUEST : access.localStatus();
        if (status == ClientStatus.OK && access.offset % width != 0)
        {
            status = AccessStatus.MISALIGNED;
        }
        status = status == ClientStatus.OK ? answeredStatus(access, RegionAccess.ATOMIC) : status;
        long before = 0;
        if (status == ClientStatus.OK)
        {
            final ByteBuffer memory =
                ByteBuffer.wrap(regions.get(access.region).bytes).order(ByteOrder.nativeOrder());
            final int at = (int)access.offset;
            before = width == 8 ? memory.getLong(at) : memory.getInt(at) & 0xFFFF_FFFFL;
            compare = random.nextBoolean() ? before : compare;
            final boolean isEqual = width == 8 ? before == compare : (int)before == (int)compare;
            final long after = operation == 1 ? before + operand : operation == 2 || isEqual ? operand : before;
            if (width == 8)
            {
                memory.putLong(at, after);
            }
            else
            {
                memory.putInt(at, (int)after);
            }
        }
        raw.send(ClientMessage.ATOMIC, request(access.target(), ++correlation).putInt(operation).putInt(width)
            .putLong(operand).putLong(compare).array());
        expected.put(correlation, new Expected(ClientMessage.ATOMIC_DONE, status, null, before));
    }

    private void setKey()
    {
        final int region = random.nextInt(4) == 0 ? READ_ONLY : SHARED;
        final int peer = random.nextInt(8) == 0 ? 3 : PEER;
        final long key = random.nextInt(3) == 0 ? random.nextLong() : regions.get(region).key;
        raw.send(ClientMessage.SET_KEY,
            request(ClientMessage.target(peer, region, random.nextInt(100)), ++correlation).putLong(key).array());
        expected.put(correlation, new Expected(
            ClientMessage.DONE, peer == PEER ? ClientStatus.OK : ClientStatus.NO_PEER, null, 0));
        if (peer == PEER)
        {
            keys.put(region, key);
        }
    }

    private void flush()
    {
        final int peer = random.nextInt(4) == 0 ? 3 : PEER;
        final int type = random.nextBoolean() ? ClientMessage.FLUSH : ClientMessage.DOORBELL;
        raw.send(type, request(ClientMessage.target(peer, 0, 0), ++correlation).array());
        if (type == ClientMessage.FLUSH)
        {
            expected.put(correlation, new Expected(
                ClientMessage.DONE, peer == PEER ? ClientStatus.OK : ClientStatus.NO_PEER, null, 0));
        }
    }

    /** Adds a region of its own, valid or not, or removes one. */
    private void control()
    {
        if (random.nextBoolean())
        {
            final boolean isOwn = ownRegion > 0 && random.nextBoolean();
            final int region = isOwn ? ownRegion : random.nextInt(0x8000);
            raw.send(ClientMessage.REMOVE_REGION,
                request(ClientMessage.target(0, region, 0), ++correlation).array());
            expected.put(correlation, new Expected(
                ClientMessage.DONE, isOwn ? ClientStatus.OK : ClientStatus.NOT_YOURS, null, 0));
            ownRegion = isOwn ? 0 : ownRegion;
            return;
        }
        final int kind = random.nextInt(ownRegion == 0 ? 6 : 5);
        final String name = kind == 0 ? "../name" : "of-" + index;
        final String allow = kind == 1 ? "10.9.0.0/33," : "10.9.0.0/24";
        final long size = kind == 2 ? new long[] {0, -PAGE, 1, 1L << 62, PAGE + 1}[random.nextInt(5)] : PAGE;
        final int access = kind == 3 ? 8 + random.nextInt() * 8 : 7;
        final byte[] text = (name + allow).getBytes(StandardCharsets.US_ASCII);
        raw.send(ClientMessage.ADD_REGION, ByteBuffer.allocate(ClientMessage.TEXT_OFFSET + text.length)
            .order(ByteOrder.nativeOrder()).putLong(0).putLong(++correlation).putLong(size).putInt(access)
            .putInt(name.length()).putInt(allow.length()).put(text).array());
        final int status = kind == 0 || kind == 2 ? ClientStatus.BAD_REQUEST :
            ownRegion != 0 ? ClientStatus.NAME_TAKEN :
            kind == 1 || kind == 3 ? ClientStatus.BAD_REQUEST : ClientStatus.OK;
        ownRegion = status == ClientStatus.OK ? -1 : ownRegion;
        expected.put(correlation, new Expected(ClientMessage.REGION_DONE, status, null, 0));
    }

    private void onAnswer(final int type, final DirectBuffer buffer, final int at, final int length)
    {
        if (type >= ClientMessage.PEER_UP)
        {
            assertTrue(type != ClientMessage.PEER_DOWN && type != ClientMessage.PEER_RESTARTED, "a peer was lost");
            return;
        }
        final long number = buffer.getLong(at + ClientMessage.ANSWER_CORRELATION_OFFSET);
        final int status = buffer.getInt(at + ClientMessage.ANSWER_STATUS_OFFSET);
        final Expected wanted = expected.remove(number);
        assertNotNull(wanted, () -> this + ": an answer to no request, " + number);
        assertEquals(wanted.type, type, this::toString);
        if (type != ClientMessage.WRITE_DONE || status != ClientStatus.UNCERTAIN)
        {
            assertEquals(ClientStatus.label(wanted.status), ClientStatus.label(status), () -> this + ": " + wanted);
        }
        if (wanted.bytes != null)
        {
            final byte[] bytes = new byte[buffer.getInt(at + ClientMessage.ANSWER_LENGTH_OFFSET)];
            buffer.getBytes(at + ClientMessage.ANSWER_DATA_OFFSET, bytes);
            assertEquals(Arrays.toString(wanted.bytes), Arrays.toString(bytes), this::toString);
        }
        if (type == ClientMessage.ATOMIC_DONE)
        {
            assertEquals(wanted.value, buffer.getLong(at + ClientMessage.ANSWER_VALUE_OFFSET), this::toString);
        }
        if (type == ClientMessage.REGION_DONE && status == ClientStatus.OK)
        {
            ownRegion = buffer.getInt(at + ClientMessage.ANSWER_LENGTH_OFFSET);
        }
        answered++;
    }

    @Override
    public String toString()
    {
        return format + ", client " + index + ", after " + correlation + " requests";
    }
}
