package org.fibnuma.ipnuma.seal;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.session.DatagramOutput;
import org.fibnuma.ipnuma.session.Session;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.session.SessionState;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two sessions with sealed datagrams over a network that loses some and records all, through restarts of either side
 * with the clock set back. The keys are computed anew from the recorded handshakes, by HKDF as in RFC 5869 and with the
 * labels of docs/ipnuma-protocol.md.
 */
class SealedReplayTest
{
    private static final byte[] SHARED = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
    private static final SealKey KEY = SealKey.parse("000102030405060708090a0b0c0d0e0f");
    private static final int A = 0x0A09_0001;
    private static final int B = 0x0A09_0002;
    private static final int HANDSHAKE_NONCES = FibnumaHeaderFlyweight.NONCES_LENGTH;
    private static final int ASSOCIATED = DatagramSeal.ASSOCIATED_LENGTH;
    private static final int TAG_LENGTH = 16;
    private static final long STEP_NS = 50_000;
    private static final long BACK_NS = 3_600_000_000_000L;
    private static final int LOSS = 9;
    private static final int ADDS = 40;
    private static final int REGION = 5;
    private static final long REGION_KEY = 0x1122_3344_5566_7788L;
    /** Each key serves 16 datagrams, so that each connection changes keys often. */
    private static final int RANGE_SHIFT = 4;
    private static final long SEED = 20_261_124;

    private final Random random = new Random(SEED);
    private Side a = new Side(A, B, 0);
    private Side b = new Side(B, A, 0);
    private final List<Sent> record = new ArrayList<>();
    private long nowNs = 10 * BACK_NS;
    /** Additions to the counter of each side by the other. */
    private long added;

    /** A datagram as it left. */
    private static final class Sent
    {
        private final int source;
        private final int destination;
        private final byte[] bytes;
        private boolean wasTaken;

        Sent(final int source, final int destination, final byte[] bytes)
        {
            this.source = source;
            this.destination = destination;
            this.bytes = bytes;
        }

        int kind()
        {
            return bytes[FibnumaHeaderFlyweight.KIND_OFFSET];
        }

        boolean isOutsideConnections()
        {
            return FibnumaKind.isHandshake(kind()) || kind() == FibnumaKind.RESET;
        }

        /** Both sessions, the source's first. */
        String sessions()
        {
            return HexFormat.of().formatHex(bytes, FibnumaHeaderFlyweight.SOURCE_SESSION_OFFSET,
                FibnumaHeaderFlyweight.SOURCE_SESSION_OFFSET + Long.BYTES);
        }
    }

    @AfterEach
    void close()
    {
        a.close();
        b.close();
    }

    @Test
    void shouldUseNoNonceTwiceAndLetNothingLandTwice() throws GeneralSecurityException
    {
        for (int round = 0; round < 8; round++)
        {
            connect();
            exchange();
            replayAll("round " + round);
            exchange();
            if (round % 2 == 0)
            {
                a = a.restarted();
            }
            else
            {
                b = b.restarted();
            }
            replayAll("after the restart of round " + round);
        }
        connect();
        exchange();
        // A side that loses its connection without a restart has a new one with new keys.
        a.session.abort();
        connect();
        exchange();
        replayAll("at the end");
        final int pairs = collectPairs();
        assertTrue(pairs > 8 * 2 * ADDS, "pairs of key and nonce: " + pairs);
    }

    /** Opens every recorded datagram of a connection with an independent key; returns the number of nonces. */
    private int collectPairs() throws GeneralSecurityException
    {
        final Map<String, List<byte[]>> secrets = new HashMap<>();
        for (final Sent sent : record)
        {
            // A CONFIRM names both nonces of the connection, and so does its answer.
            if (sent.kind() == FibnumaKind.CONFIRM || sent.kind() == FibnumaKind.CONFIRMED)
            {
                final byte[] nonces = Arrays.copyOfRange(sent.bytes, FibnumaHeaderFlyweight.SOURCE_NONCE_OFFSET,
                    FibnumaHeaderFlyweight.SOURCE_NONCE_OFFSET + HANDSHAKE_NONCES);
                final byte[] secret = expand(extract(nonces, SHARED), concat(ascii("fibnuma seal 2"),
                    ByteBuffer.allocate(8).putInt(sent.source).putInt(sent.destination).array()), 32);
                secrets.computeIfAbsent(sent.sessions(), sessions -> new ArrayList<>()).add(secret);
            }
        }
        final Set<String> pairs = new HashSet<>();
        for (final Sent sent : record)
        {
            if (!sent.isOutsideConnections())
            {
                final byte[] key = keyOf(sent, secrets.getOrDefault(sent.sessions(), List.of()));
                assertTrue(pairs.add(HexFormat.of().formatHex(key) + " " + counter(sent.bytes)),
                    "a nonce twice with one key: counter " + counter(sent.bytes));
            }
        }
        return pairs.size();
    }

    /** Returns the key that opens a datagram, from the secrets of the connections with its sessions. */
    private static byte[] keyOf(final Sent sent, final List<byte[]> secrets) throws GeneralSecurityException
    {
        final long counter = counter(sent.bytes);
        for (final byte[] first : secrets)
        {
            byte[] secret = first;
            for (long range = 0; range < counter >>> RANGE_SHIFT; range++)
            {
                secret = expand(secret, ascii("fibnuma next"), 32);
            }
            final byte[] key = expand(secret, ascii("fibnuma key"), SHARED.length);
            if (opens(key, counter, sent.bytes))
            {
                return key;
            }
        }
        throw new AssertionError("no key of the recorded handshakes opens a datagram with counter " + counter);
    }

    private static boolean opens(final byte[] key, final long counter, final byte[] bytes)
        throws GeneralSecurityException
    {
        final int end = bytes.length - DatagramSeal.OVERHEAD;
        final Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(
            TAG_LENGTH * Byte.SIZE, ByteBuffer.allocate(12).putInt(0).putLong(counter).array()));
        cipher.updateAAD(bytes, 0, ASSOCIATED);
        try
        {
            cipher.doFinal(concat(Arrays.copyOfRange(bytes, ASSOCIATED, end),
                Arrays.copyOfRange(bytes, end + Long.BYTES, bytes.length)));
            return true;
        }
        catch (final AEADBadTagException ignore)
        {
            return false;
        }
    }

    private static long counter(final byte[] bytes)
    {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(bytes.length - DatagramSeal.OVERHEAD);
    }

    /** Sends everything recorded again, to the side that it was for: as it was, backwards and shuffled. */
    private void replayAll(final String when)
    {
        final List<Sent> all = new ArrayList<>(record);
        final long atA = a.value();
        final long atB = b.value();
        for (int order = 0; order < 3; order++)
        {
            if (order == 1)
            {
                Collections.reverse(all);
            }
            else if (order == 2)
            {
                Collections.shuffle(all, random);
            }
            for (final Sent sent : all)
            {
                final Side side = sent.destination == A ? a : b;
                final int opened = side.receive(sent.bytes);
                // A datagram that the network has lost may be opened, once.
                if (!sent.isOutsideConnections() && sent.wasTaken)
                {
                    assertTrue(opened == DatagramSeal.REPLAYED || opened == DatagramSeal.OTHER_CONNECTION,
                        when + ", order " + order + ": " + opened);
                }
                sent.wasTaken |= opened >= 0;
            }
        }
        assertArrayEquals(new long[] {atA, atB}, new long[] {a.value(), b.value()}, when);
    }

    /** Each side adds to the counter of the other, and both values are exact. */
    private void exchange()
    {
        for (int i = 0; i < ADDS; i++)
        {
            add(a);
            add(b);
            step();
        }
        added += ADDS;
        for (int i = 0; i < 4000 && (a.value() != added || b.value() != added); i++)
        {
            step();
        }
        settle();
        assertEquals(added, a.value());
        assertEquals(added, b.value());
    }

    private void add(final Side side)
    {
        assertTrue(side.session.atomic(AtomicOperation.FETCH_ADD,
            RemoteAddress.of(REGION, 0), REGION_KEY, 1, 0, Long.BYTES, 1));
        side.session.flush();
    }

    private void connect()
    {
        a.session.connect();
        b.session.connect();
        for (int i = 0; i < 4000 && !(isUp(a) && isUp(b)); i++)
        {
            step();
        }
        settle();
        assertTrue(isUp(a) && isUp(b));
    }

    private static boolean isUp(final Side side)
    {
        return side.session.state() == SessionState.UP;
    }

    private void settle()
    {
        for (int i = 0; i < 1000; i++)
        {
            step();
        }
    }

    private void step()
    {
        nowNs += STEP_NS;
        a.pollTo(b);
        b.pollTo(a);
    }

    /** RFC 5869, section 2.2. */
    private static byte[] extract(final byte[] salt, final byte[] secret) throws GeneralSecurityException
    {
        return hmac(salt, secret);
    }

    /** RFC 5869, section 2.3, for at most one hash. */
    private static byte[] expand(final byte[] key, final byte[] info, final int length)
        throws GeneralSecurityException
    {
        return Arrays.copyOf(hmac(key, concat(info, new byte[] {1})), length);
    }

    private static byte[] hmac(final byte[] key, final byte[] text) throws GeneralSecurityException
    {
        final Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text);
    }

    private static byte[] ascii(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] concat(final byte[] first, final byte[] second)
    {
        return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
    }

    /** One end; its epoch is always the same, as if it came from a clock that was set back, and its clock is. */
    private final class Side implements DatagramOutput
    {
        private final int own;
        private final int other;
        private final long clockNs;
        private final MemoryRegion memory = MemoryRegion.ofBytes(64);
        private final MemoryRegion room = MemoryRegion.ofBytes(2048);
        private final MemoryRegion arrival = MemoryRegion.ofBytes(2048);
        private final List<Sent> underWay = new ArrayList<>();
        private final DatagramSeal seal;
        private final Session session;

        Side(final int own, final int other, final long clockNs)
        {
            this.clockNs = clockNs;
            this.own = own;
            this.other = other;
            seal = new DatagramSeal(KEY, own, other, RANGE_SHIFT);
            final RegionTable regions = new RegionTable();
            regions.add(new Region(REGION, "box", memory.address(), memory.size(), RegionAccess.ALL,
                List.of(Ipv4Prefix.parse("10.9.0.0/24")), REGION_KEY));
            session = new Session(
                0, new SessionSettings().epoch(7), regions, ChannelListener.NONE, seal::onConnection);
        }

        /** Restarts with its memory and without its connection, an hour earlier by its clock. */
        Side restarted()
        {
            final long value = value();
            close();
            final Side after = new Side(own, other, clockNs - BACK_NS);
            FrameMemory.putLong(after.memory.address(), value);
            return after;
        }

        long value()
        {
            return FrameMemory.getLong(memory.address());
        }

        void pollTo(final Side to)
        {
            session.poll(new SealedOutput(this, seal), nowNs + clockNs);
            for (final Sent datagram : underWay)
            {
                if (random.nextInt(LOSS) != 0)
                {
                    datagram.wasTaken = to.receive(datagram.bytes) >= 0;
                }
            }
            underWay.clear();
        }

        int receive(final byte[] datagram)
        {
            FrameMemory.putBytes(arrival.address(), datagram);
            final int opened = seal.open(arrival.address(), datagram.length);
            if (opened >= 0)
            {
                session.onDatagram(arrival.address(), opened, false, other, nowNs + clockNs);
            }
            return opened;
        }

        @Override
        public long claim(final int length)
        {
            return room.address();
        }

        @Override
        public void commit(final int length, final boolean ecnCapable)
        {
            final byte[] bytes = new byte[length];
            FrameMemory.getBytes(room.address(), bytes);
            final Sent sent = new Sent(own, other, bytes);
            record.add(sent);
            underWay.add(sent);
        }

        void close()
        {
            session.close();
            memory.close();
            room.close();
            arrival.close();
        }
    }
}
