package org.fibnuma.bench.differential;

import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The router beside the kernel, the kernel alone, and whether a difference between them is seen. */
@NamespaceTest("nsenter")
class DifferentialSystemTest
{
    private static final int SECONDS = 60;
    /** So that a fast machine tries the same hosts. */
    private static final int HOSTS = 6;
    private static final int SETS_OF_RULES = 50;
    private static final int SHRINK_SECONDS = 60;
    private static final long SEED = 1;

    /** UDP from 10.0.0.2 to 198.18.0.1, TTL 64, through link 0. */
    private static final Packet PACKET = new Packet(0, HexFormat.of().parseHex(
        "020000000001" + "020000000002" + "0800" + "4500001c000100004011aabb" + "0a000002" + "c6120001" +
        "0400003500080000" + "00".repeat(18)));
    private static final List<String> COMMANDS = List.of(
        "ip address add 10.0.0.1/24 dev r0",
        "ip address add 10.0.1.1/24 dev r1",
        "ip neighbor replace 10.0.1.3 lladdr 02:00:00:00:01:03 dev r1 nud permanent",
        "ip route add 198.18.0.0/24 via 10.0.1.3");
    /** As it leaves by link 1: TTL 63, without the padding. */
    private static final String FORWARDED = "020000000103" + "020000000101" + "0800" + "4500001c000100003f11abbb" +
        "0a000002" + "c6120001" + "0400003500080000";

    @Test
    void shouldForwardAsTheKernelDoes()
    {
        Require.program("nft", "nftables");
        final DifferentialRun run = new DifferentialRun(SEED, SHRINK_SECONDS, System.out::println);
        run.run(SECONDS, 0, HOSTS);
        assertEquals(List.of(), run.scripts());
        assertTrue((int)run.toMap().get("hosts") > 0, () -> run.toMap().toString());
        assertTrue((long)run.toMap().get("packets") > 0, () -> run.toMap().toString());
    }

    @Test
    void shouldSeeThatOneLabForwardsAndTheOtherDoesNot()
    {
        try (LabPair labs = new LabPair())
        {
            labs.apply(COMMANDS);
            final Comparison equal = labs.compare(List.of(PACKET), null, 0);
            assertTrue(equal.isEqual(), equal::text);
            assertEquals("{1 " + FORWARDED + "=1}", equal.kernel().frames().toString());

            labs.routed().apply(List.of("ip route replace blackhole 198.18.0.0/24"));
            final Comparison different = labs.compare(List.of(PACKET), null, 0);
            assertFalse(different.isEqual());
            assertEquals("kernel only: r1 " + FORWARDED + "\n", different.text());
        }
    }

    @Test
    void shouldDrawRulesThatTheKernelTakes()
    {
        try (Lab lab = new Lab())
        {
            for (int seed = 0; seed < SETS_OF_RULES; seed++)
            {
                final RuleGenerator generator = new RuleGenerator(new Random(seed), new ArrayList<>(
                    List.of(Prefix.parse("198.18.0.0/24"), Prefix.parse("2001:db8::/48"))));
                // The kernel takes no rule twice, nor that for the main table again.
                final Set<String> commands = new LinkedHashSet<>();
                for (int i = 0; i < 8; i++)
                {
                    commands.add("ip " + generator.add());
                }
                commands.add("ip " + generator.remove());
                commands.add("ip " + generator.flush());
                commands.removeIf(command -> command.endsWith("rule add priority 32766 lookup main"));
                final List<String> different = List.copyOf(commands);
                final List<Integer> statuses = lab.apply(different);
                for (int i = 0; i < different.size(); i++)
                {
                    assertEquals(0, statuses.get(i), different.get(i));
                }
                lab.apply(List.of("ip rule flush; ip rule add pref 32766 lookup main; " +
                    "ip -6 rule flush; ip -6 rule add pref 32766 lookup main"));
            }
        }
    }

    @Test
    void shouldWaitForTheErrorAboutANeighborThatDoesNotAnswer()
    {
        try (LabPair labs = new LabPair())
        {
            labs.apply(COMMANDS);
            final byte[] frame = PACKET.frame().clone();
            Bytes.put32(frame, 30, 0x0a0001e0);
            Bytes.put16(frame, 24, 0);
            Bytes.put16(frame, 24, Bytes.checksum(Bytes.sum(frame, 14, 20)));
            final Comparison comparison = labs.compare(List.of(new Packet(0, frame)), null, LabPair.FAILURE_MS);
            assertTrue(comparison.isEqual(), comparison::text);
            assertEquals(1, comparison.kernel().frames().size());
            final String error = comparison.kernel().frames().keySet().iterator().next();
            assertTrue(error.startsWith("0 ") && error.contains("0a0000010a000002" + "0301"), error);
        }
    }

    @Test
    void shouldPrintAScriptThatRepeatsAScenario(@TempDir final Path directory) throws IOException
    {
        Require.program("python3", "python3");
        final Path script = directory.resolve("scenario.sh");
        Files.writeString(script, ReproductionScript.of(
            new Scenario(COMMANDS, List.of(), List.of(PACKET)), "a line\nand another"));
        final String output = ChildProcess.run(Duration.ofSeconds(120),
            "unshare", "--net", "--mount", "sh", script.toString(), "kernel");
        assertTrue(output.lines().anyMatch(("r1 " + FORWARDED)::equals), output);
    }
}
