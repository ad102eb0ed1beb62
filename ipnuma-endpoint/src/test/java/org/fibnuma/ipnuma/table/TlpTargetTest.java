package org.fibnuma.ipnuma.table;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.wire.NetTlpCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Compares requests in the way of LibTLP, and their completions, byte by byte. */
class TlpTargetTest implements TlpTarget.AnswerOutput, TlpTarget.Listener
{
    private static final int LENGTH = 4096;
    private static final int MAX_TLP = 1024 + 12;
    private static final int FRIEND = Ipv4Address.parse("10.9.0.2");

    private final MemoryRegion memory = MemoryRegion.ofBytes(3 * LENGTH);
    private final long room = memory.address() + LENGTH;
    private final long request = memory.address() + 2 * LENGTH;
    private final RegionTable regions = new RegionTable();
    private final TlpTarget target = new TlpTarget(regions, this, this, MAX_TLP);
    private final List<String> answers = new ArrayList<>();
    private final List<Integer> statuses = new ArrayList<>();
    private boolean full;

    @BeforeEach
    void open()
    {
        regions.add(new Region(1, "open", memory.address(), LENGTH, RegionAccess.ALL,
            List.of(Ipv4Prefix.parse("10.9.0.0/24")), Region.NO_KEY));
        regions.zero(1);
        target.from(FRIEND);
    }

    @AfterEach
    void close()
    {
        memory.close();
    }

    @Test
    void shouldAnswerAReadThatBeginsInsideADw()
    {
        FrameMemory.putBytes(memory.address() + 0x40, new byte[]{1, 2, 3, 4, 5, 6, 7, 8});

        take("20 00 0002 1a00 03 7c 00000001 00000040");

        // Completer 0, byte count 5, lower address 0x42, two DWs with zeros outside the requested bytes.
        assertEquals(List.of("4a000002" + "00000005" + "1a000342" + "00000304" + "05060700"), answers);
        assertEquals(List.of(AccessStatus.OK), statuses);
    }

    @Test
    void shouldAnswerALongReadInPieces()
    {
        take("00 00 0000 1a00 07 ff 00000000");

        assertEquals(4, answers.size());
        assertEquals("4a000100" + "00000000" + "1a000700", answers.get(0).substring(0, 24));
        assertEquals("4a000100" + "00000400" + "1a000700", answers.get(3).substring(0, 24));
    }

    @Test
    void shouldStoreAndAnswerTheFlushAfterwards()
    {
        take("40 00 0001 1a00 01 0f 00000010 0a0b0c0d");
        take("00 00 0001 1a00 02 00 00000010");

        assertEquals(List.of("4a000001" + "00000001" + "1a000210" + "00000000"), answers);
        assertEquals(0x0A, FrameMemory.getByte(memory.address() + 0x10));
    }

    @Test
    void shouldRefuseWithoutDataAndNeverAtLength()
    {
        take("00 00 0000 1a00 05 ff 00001000");
        take("20 00 0001 1a00 06 0f 00000002 00000000");
        take("40 00 0001 1a00 07 0f 00001000 01020304");
        take("02 00 0001 1a00 08 0f 00000010");
        target.from(Ipv4Address.parse("10.8.0.2"));
        take("00 00 0001 1a00 09 0f 00000000");

        assertEquals(List.of(
            "0a000000" + "00002004" + "1a000500",
            "0a000000" + "00002004" + "1a000600",
            "0a000000" + "00002004" + "1a000800",
            "0a000000" + "00002004" + "1a000900"), answers);
        assertEquals(
            List.of(AccessStatus.OUT_OF_RANGE, AccessStatus.NO_REGION, AccessStatus.OUT_OF_RANGE,
                AccessStatus.NO_ACCESS),
            statuses);
    }

    @Test
    void shouldAnswerAtomicsWithTheValueBefore()
    {
        FrameMemory.putLong(memory.address() + 0x18, 0x0807_0605_0403_0201L);

        take("4c 00 0002 1a00 01 ff 00000018 0100000000000000");
        take("4e 00 0002 1a00 02 ff 00000018 02020304 aaaaaaaa");
        take("4d 00 0002 1a00 03 ff 0000001c 0100000000000000");

        assertEquals(List.of(
            "4a000002" + "00000008" + "1a000100" + "0102030405060708",
            "4a000001" + "00000004" + "1a000200" + "02020304",
            "0a000000" + "00002004" + "1a000300"), answers);
        assertEquals(0x0807_0605_AAAA_AAAAL, FrameMemory.getLong(memory.address() + 0x18));
        assertEquals(List.of(AccessStatus.OK, AccessStatus.OK, AccessStatus.MISALIGNED), statuses);
    }

    @Test
    void shouldLeaveRequestsUnansweredWhereThereIsNoRoom()
    {
        full = true;
        take("00 00 0000 1a00 07 ff 00000000");
        take("00 00 0001 1a00 05 0f 00001000");
        take("4c 00 0001 1a00 01 0f 00000018 01000000");

        assertEquals(List.of(), answers);
        assertEquals(1, FrameMemory.getByte(memory.address() + 0x18));
    }

    @Test
    void shouldHandOnCompletions()
    {
        take("4a 00 0001 0100 0004 1a00 05 00 01020304");

        assertEquals(List.of("tag 5 status 0 remaining 4 length 4"), answers);
    }

    @Override
    public long claim(final int tlpLength)
    {
        FrameMemory.putInt(room + tlpLength, 0x5A5A5A5A);
        return full ? 0 : room;
    }

    @Override
    public void commit(final int tlpLength)
    {
        final byte[] bytes = new byte[tlpLength];
        FrameMemory.getBytes(room, bytes);
        answers.add(HexFormat.of().formatHex(bytes));
        assertEquals(0x5A5A5A5A, FrameMemory.getInt(room + tlpLength));
    }

    @Override
    public void onAccess(final int status, final long remoteAddress, final int length)
    {
        statuses.add(status);
    }

    @Override
    public void onCompletion(
        final int tag, final int status, final int remaining, final long dataAddress, final int length)
    {
        answers.add("tag " + tag + " status " + status + " remaining " + remaining + " length " + length);
    }

    private void take(final String tlp)
    {
        final byte[] bytes = HexFormat.of().parseHex("000000000000" + tlp.replace(" ", ""));
        FrameMemory.putBytes(request, bytes);
        assertEquals(1, new NetTlpCodec().decode(request, bytes.length, target));
    }
}
