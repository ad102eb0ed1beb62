package org.fibnuma.pfc.wire;

import org.fibnuma.core.Require;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** PAUSE and PFC frames byte by byte: offsets of IEEE 802.1Qbb and 802.3 Annex 31B written as hex, and scapy. */
class MacControlFrameTest
{
    private static final String HEADER = "0180c2000001" + "62f7e277ef5a" + "8808";
    private static final long SOURCE = 0x62F7_E277_EF5AL;
    /** The frame of the reference vectors: class 2 has a time but its enable bit is 0. */
    private static final String PFC_CLASSES_0_AND_3 =
        HEADER + "0101" + "0009" + "1234" + "0000" + "4321" + "00".repeat(36);

    private final FrameBytes bytes = new FrameBytes();

    @AfterEach
    void release()
    {
        bytes.close();
    }

    @Test
    void shouldWritePause()
    {
        bytes.put("ff".repeat(64));
        new PauseFrameFlyweight().wrap(bytes.address()).compose(SOURCE, 0x1234);
        assertEquals(HEADER + "0001" + "1234" + "00".repeat(42) + "ffffffff", bytes.hex(64));
    }

    @Test
    void shouldReadPause()
    {
        bytes.put(HEADER + "0001" + "fffe" + "00".repeat(42));
        final PauseFrameFlyweight pause = new PauseFrameFlyweight().wrap(bytes.address());
        assertEquals(MacControl.OPCODE_PAUSE, new PfcFrameFlyweight().wrap(bytes.address()).opcode());
        assertEquals(0xFFFE, pause.quanta());
    }

    @Test
    void shouldWritePfc()
    {
        bytes.put("ff".repeat(64));
        new PfcFrameFlyweight().wrap(bytes.address()).compose(SOURCE).pause(5, 0x1234).pause(0, 0x4321);
        assertEquals(
            HEADER + "0101" + "0021" + "4321" + "00000000" + "00000000" + "1234" + "00000000" + "00".repeat(26) +
            "ffffffff",
            bytes.hex(64));
    }

    @Test
    void shouldWriteEveryClassInItsPlace()
    {
        final PfcFrameFlyweight pfc = new PfcFrameFlyweight().wrap(bytes.address()).compose(SOURCE);
        for (int priority = 7; priority >= 0; priority--)
        {
            pfc.pause(priority, 0x0101 * (priority + 1));
        }
        assertEquals(
            HEADER + "0101" + "00ff" + "0101" + "0202" + "0303" + "0404" + "0505" + "0606" + "0707" + "0808" +
            "00".repeat(26),
            bytes.hex(60));
    }

    @Test
    void shouldKeepAClassThatIsResumedApartFromOneThatIsNotNamed()
    {
        final PfcFrameFlyweight pfc = new PfcFrameFlyweight().wrap(bytes.address()).compose(SOURCE).pause(3, 0);
        assertEquals(1 << 3, pfc.classEnable());
        assertEquals(0, pfc.quanta(3));
    }

    @Test
    void shouldReadPfc()
    {
        bytes.put(PFC_CLASSES_0_AND_3);
        final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight().wrap(bytes.address());
        assertEquals(MacControl.DESTINATION, ethernet.destination());
        assertEquals(SOURCE, ethernet.source());
        assertEquals(EtherType.MAC_CONTROL, ethernet.etherType());
        final PfcFrameFlyweight pfc = new PfcFrameFlyweight().wrap(bytes.address());
        assertEquals(MacControl.OPCODE_PFC, pfc.opcode());
        assertEquals(1 | 1 << 3, pfc.classEnable());
        assertEquals(0x1234, pfc.quanta(0));
        assertEquals(0, pfc.quanta(3));
        assertEquals(0x4321, pfc.quanta(2));
    }

    @Test
    void shouldNotTakeReservedBitsForClasses()
    {
        bytes.put(HEADER + "0101" + "ff01" + "00".repeat(42));
        assertEquals(1, new PfcFrameFlyweight().wrap(bytes.address()).classEnable());
    }

    @Test
    void shouldReadTheReferenceVector() throws Exception
    {
        assertEquals(PFC_CLASSES_0_AND_3, ReferenceVectors.hex("pfc_class0_class3"));
    }

    @Test
    void shouldBeReadByScapyAsMeant() throws Exception
    {
        Require.scapy();
        new PauseFrameFlyweight().wrap(bytes.address()).compose(SOURCE, 0x1234);
        final String pause = bytes.hex(60);
        new PfcFrameFlyweight().wrap(bytes.address()).compose(SOURCE).pause(0, 0x4321).pause(5, 0x1234);
        final String pfc = bytes.hex(60);
        assertEquals(
            List.of(
                "MACControlPause 62:f7:e2:77:ef:5a 4660 " + 0.238592,
                "MACControlClassBasedFlowControl [1, 0, 0, 0, 0, 1, 0, 0] [17185, 0, 0, 0, 0, 4660, 0, 0]"),
            ScapyProgram.run(
                "p = Ether(bytes.fromhex('" + pause + "'))\n" +
                "q = p[MACControlPause]\n" +
                "print(q.name and type(q).__name__, p.src, q.pause_time," +
                " round(q.pause_time * 512 / 10e6, 9))\n" +
                "f = Ether(bytes.fromhex('" + pfc + "'))[MACControlClassBasedFlowControl]\n" +
                "print(type(f).__name__, [int(getattr(f, 'c%d_enabled' % n)) for n in range(8)]," +
                " [getattr(f, 'c%d_pause_time' % n) for n in range(8)])\n"));
    }

    @Test
    void shouldReadWhatScapyBuilds() throws Exception
    {
        Require.scapy();
        final List<String> frames = ScapyProgram.run(
            "h = Ether(dst='01:80:c2:00:00:01', src='62:f7:e2:77:ef:5a', type=0x8808)\n" +
            "print(bytes(h / MACControlPause(pause_time=0xabcd)).hex())\n" +
            "print(bytes(h / MACControlClassBasedFlowControl(c7_enabled=1, c7_pause_time=0xabcd, c1_enabled=1," +
            " c1_pause_time=2)).hex())\n");
        bytes.put(frames.get(0));
        assertEquals(0xABCD, new PauseFrameFlyweight().wrap(bytes.address()).quanta());
        assertEquals(MacControl.OPCODE_PAUSE, new PfcFrameFlyweight().wrap(bytes.address()).opcode());
        bytes.put(frames.get(1));
        final PfcFrameFlyweight pfc = new PfcFrameFlyweight().wrap(bytes.address());
        assertEquals(MacControl.OPCODE_PFC, pfc.opcode());
        assertEquals(1 << 7 | 1 << 1, pfc.classEnable());
        assertEquals(0xABCD, pfc.quanta(7));
        assertEquals(2, pfc.quanta(1));
    }
}
