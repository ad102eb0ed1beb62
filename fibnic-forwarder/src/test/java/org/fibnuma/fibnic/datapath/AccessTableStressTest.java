package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessRule;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.acl.FragmentMatch;
import org.fibnuma.fibnic.acl.PortRange;
import org.fibnuma.fibnic.fate.DropReason;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** One thread replaces the lists while another judges batches: each batch is judged by one version, in and out. */
@Tag("stress")
class AccessTableStressTest
{
    private static final int FRAMES = 64;
    private static final int BATCHES = 20_000;
    private static final int ROOM = 4096;
    private static final byte[] PACKET = HexFormat.of().parseHex(
        "020000000100020000000200" + "0800" + "4500001c00000000" + "40110000" + "0a000002" + "0a000102" +
        "0001003500080000");

    /** Both lists deny everything, for a reason of their version; in the middle of many rules. */
    private static AccessLists version(final AccessAction action)
    {
        final List<AccessRule> rules = new ArrayList<>();
        for (int i = 0; i < 50; i++)
        {
            rules.add(new AccessRule(
                true, true, i == 25 ? null : IpPrefix.parse("192.0.2." + i + "/32"), null, AccessRule.ANY,
                PortRange.ANY, PortRange.ANY, 0, 0, AccessRule.ANY, FragmentMatch.ANY, action, 0));
        }
        return new AccessLists(
            List.of(new AccessList("list", rules, AccessAction.PERMIT)),
            Arrays.asList("list", null), Arrays.asList(null, "list"), 1);
    }

    @Test
    void shouldJudgeEachBatchByOneVersion() throws InterruptedException
    {
        final AccessTable table = new AccessTable();
        table.replace(version(AccessAction.DENY));
        final AtomicBoolean ended = new AtomicBoolean();
        final Thread writer = new Thread(() ->
        {
            for (int i = 0; !ended.get(); i++)
            {
                table.replace(version(i % 2 == 0 ? AccessAction.PROHIBIT : AccessAction.DENY));
            }
        });
        writer.start();
        int changes = 0;
        try (MemoryRegion region = MemoryRegion.ofChunks(FRAMES, ROOM))
        {
            for (int i = 0; i < FRAMES; i++)
            {
                FrameMemory.putBytes(region.address() + (long)i * ROOM, PACKET);
            }
            final AccessInput input = new AccessInput(table, 0);
            final AccessOutput output = new AccessOutput(input, 2);
            int last = -1;
            for (int b = 0; b < BATCHES || changes < 10; b++)
            {
                final int reason = judge(region.address(), input, output);
                changes += reason == last ? 0 : 1;
                last = reason;
            }
        }
        finally
        {
            ended.set(true);
            writer.join();
        }
        assertTrue(changes >= 10, "versions seen");
    }

    /** Half of the frames are judged when they come in, the others when they leave. */
    private static int judge(final long memory, final AccessInput input, final AccessOutput output)
    {
        final FrameBatch batch = new FrameBatch();
        final FrameList in = new FrameList();
        final FrameList exceptions = new FrameList();
        final FrameList none = new FrameList();
        for (int i = 0; i < FRAMES; i++)
        {
            final long frame = memory + (long)i * ROOM;
            batch.add(i, frame, PACKET.length, 0);
            if (i % 2 == 0)
            {
                in.add(i);
            }
        }
        input.process(batch, in, none, exceptions, none);
        batch.egressInterfaceOfAll(1);
        batch.addEgressPorts(1 << 1);
        output.process(batch, exceptions, none);
        assertEquals(FRAMES, exceptions.size());
        final int reason = batch.dropReason(0);
        assertTrue(reason == DropReason.ACCESS_DENIED.id() || reason == DropReason.ACCESS_PROHIBITED.id());
        for (int i = 0; i < FRAMES; i++)
        {
            assertEquals(reason, batch.dropReason(i), "frame " + i);
        }
        return reason;
    }
}
