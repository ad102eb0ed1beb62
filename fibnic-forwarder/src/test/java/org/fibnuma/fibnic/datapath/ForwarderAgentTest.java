package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.Require;
import org.fibnuma.fibnic.acl.AccessInput;
import org.fibnuma.fibnic.acl.AccessOutput;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fate.PortTraffic;
import org.fibnuma.fibnic.lossless.PauseInput;
import org.fibnuma.fibnic.lossless.PriorityTagInput;
import org.fibnuma.fibnic.multipath.MultipathSelection;
import org.fibnuma.fibnic.stage.StageClock;
import org.fibnuma.fibnic.vlan.VlanInput;
import org.fibnuma.fibnic.vlan.VlanOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

class ForwarderAgentTest
{
    private static final Set<Class<?>> STAGES_ELSEWHERE = Set.of(
        AccessInput.class, AccessOutput.class, MultipathSelection.class, PauseInput.class, PriorityTagInput.class,
        VlanInput.class, VlanOutput.class);
    private static final Set<String> PORTS = Set.of("RxQueue", "TxQueue");

    private final RouterFixture router = new RouterFixture();

    @AfterEach
    void after()
    {
        router.close();
    }

    @Test
    void shouldForwardFromOnePortToAnother()
    {
        final byte[] in = TestFrame.hex(
            "020000000100 020000000200 0800" +
            "45000020 12340000 40115396 0a000002 0a000102" +
            "0102030405060708090a0b0c");
        final byte[] out = TestFrame.hex(
            "020000000201 020000000101 0800" +
            "45000020 12340000 3f115496 0a000002 0a000102" +
            "0102030405060708090a0b0c");
        final List<byte[]> sent = router.forward(in);
        assertEquals(1, sent.size());
        assertArrayEquals(out, sent.get(0));
        assertEquals(1, router.count(ForwarderCounter.FORWARDED));
        assertEquals(in.length, router.report().get(0, PortTraffic.RX_BYTES));
        assertEquals(1, router.report().get(0, PortTraffic.RX_FRAMES));
        assertEquals(out.length, router.report().get(1, PortTraffic.TX_BYTES));
        assertEquals(1, router.report().get(1, PortTraffic.TX_FRAMES));
        router.assertBalanced();
    }

    @Test
    void shouldKeepOrderAndLoseNothingOverManyBatches()
    {
        int expected = 0;
        for (int round = 0; round < 20; round++)
        {
            for (int i = 0; i < 150; i++)
            {
                router.receive(0, TestFrame.ipv4().identification(round * 150 + i).payload(26).bytes());
            }
            router.run();
            for (final byte[] frame : router.sent(1))
            {
                assertEquals(expected++, TestFrame.u16(frame, TestFrame.ETHERNET + 4));
            }
        }
        assertEquals(3000, expected);
        router.assertBalanced();
    }

    @Test
    void shouldHaveTheStagesThatThePackageDraws() throws IOException
    {
        final Path file = Require.projectDirectory().resolve(
            "fibnic-forwarder/src/main/java/org/fibnuma/fibnic/datapath/package-info.java");
        final String drawing = Files.readString(file).replaceAll("(?s).*<pre>|</pre>.*", "");
        final Set<String> drawn = new TreeSet<>();
        final Matcher name = Pattern.compile("\\b[A-Z]\\w*[a-z]\\w*[A-Z]\\w*").matcher(drawing);
        while (name.find())
        {
            drawn.add(name.group());
        }
        drawn.removeAll(PORTS);
        final Set<String> stages = Stream.of(ForwarderAgent.class, LosslessForwarderAgent.class)
            .flatMap(agent -> Arrays.stream(agent.getDeclaredFields()))
            .map(Field::getType)
            .filter(type -> type.getPackage() == ForwarderAgent.class.getPackage() || STAGES_ELSEWHERE.contains(type))
            .filter(type -> type != ObservedStages.class && type != StageClock.class)
            .map(Class::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(stages, drawn);
    }
}
