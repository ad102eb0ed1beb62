package org.fibnuma.fibnic.config;

import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessKeys;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessPacket;
import org.fibnuma.fibnic.acl.ActiveList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random configurations reloaded one into the next give each packet the verdict of a fresh start and of the rules
 * compared one by one, on every port in both directions.
 */
class ReloadedListsPropertyTest
{
    private static final int RELOADS = 150;
    private static final int PACKETS = 100;
    private static final List<String> LISTS = List.of("a", "b", "c");
    private static final List<String> PORTS = List.of("p", "q", "r");
    private static final List<String> CONDITIONS = List.of(
        "protocol = \"udp\"", "protocol = \"tcp\"\ndestination-port = \"80\"",
        "protocol = \"udp\"\nsource-port = \"53\"",
        "source = \"10.0.0.0/30\"", "destination = \"192.0.2.0/31\"", "dscp = 3", "family = \"ipv4\"",
        "source = \"10.0.0.1/32\"\nprotocol = \"tcp\"", "fragments = \"none\"\ndscp = 1");

    @TempDir
    private Path directory;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final AccessKeys keys = new AccessKeys();
    private final List<String> tables = new ArrayList<>();

    @Test
    void shouldJudgeAsAfterAFreshStart() throws IOException, ConfigException
    {
        RouterConfig running = read().config();
        final List<PortConfig> ports = running.ports();
        AccessLists lists = running.accessLists(null, ports);
        int changed = 0;
        for (int i = 0; i < RELOADS; i++)
        {
            final ConfigFile next = read();
            final ConfigComparison comparison = ConfigComparison.of(running, running, next);
            assertEquals(List.of(), comparison.refusals(), "seed " + seed);
            if (!comparison.changes().isEmpty())
            {
                lists = next.config().accessLists(lists, ports);
                lists.settle();
                changed++;
            }
            running = next.config();
            compare(lists, running.accessLists(null, ports), running, ports);
        }
        assertTrue(changed > 0 && changed < RELOADS, changed + " changes, seed " + seed);
    }

    private void compare(
        final AccessLists lists, final AccessLists fresh, final RouterConfig config, final List<PortConfig> ports)
    {
        assertEquals(fresh.lists().stream().map(list -> list.list().name()).sorted().toList(),
            lists.lists().stream().map(list -> list.list().name()).sorted().toList(), "seed " + seed);
        for (int port = 0; port < ports.size(); port++)
        {
            final String name = ports.get(port).name();
            final PortConfig used =
                config.ports().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
            for (int p = 0; p < PACKETS; p++)
            {
                final AccessPacket packet = packet();
                final AccessAction in = action(reference(config, used.aclIn()), packet);
                final AccessAction out = action(reference(config, used.aclOut()), packet);
                assertEquals(in, action(lists.ingress(port), packet), () -> packet + " seed " + seed);
                assertEquals(in, action(fresh.ingress(port), packet), () -> packet + " seed " + seed);
                assertEquals(out, action(lists.egress(port), packet), () -> packet + " seed " + seed);
                assertEquals(out, action(fresh.egress(port), packet), () -> packet + " seed " + seed);
            }
        }
    }

    private static AccessList reference(final RouterConfig config, final String name)
    {
        return config.acls().stream().filter(list -> list.name().equals(name)).findFirst().orElse(null);
    }

    private static AccessAction action(final AccessList list, final AccessPacket packet)
    {
        return list == null ? null : list.actionOf(list.deciding(packet));
    }

    private AccessAction action(final ActiveList active, final AccessPacket packet)
    {
        return active == null ? null : active.list().actionOf(active.deciding(packet, keys));
    }

    private AccessPacket packet()
    {
        final int protocol = random.nextBoolean() ? 6 : 17;
        return new AccessPacket(
            IpAddress.of(0x0A00_0000 + random.nextInt(6)), IpAddress.of(0xC000_0200 + random.nextInt(4)), protocol,
            random.nextBoolean() ? 53 : 1000, random.nextBoolean() ? 80 : 1000, 0, random.nextInt(4),
            random.nextBoolean() ? AccessKeys.WHOLE : AccessKeys.FIRST_FRAGMENT);
    }

    /** One in three configurations is that of the last time, in another order. */
    private ConfigFile read() throws IOException, ConfigException
    {
        if (tables.isEmpty() || random.nextInt(3) > 0)
        {
            tables.clear();
            final List<String> names = new ArrayList<>(LISTS);
            Collections.shuffle(names, random);
            final List<String> present = names.subList(0, random.nextInt(LISTS.size() + 1));
            present.forEach(list -> tables.add(list(list)));
            PORTS.forEach(port -> tables.add("[[port]]\nname = \"" + port + "\"\ndevice = \"tap:" + port + "\"\n" +
                use("acl-in", present) + use("acl-out", present)));
        }
        Collections.shuffle(tables, random);
        return ConfigReader.readWithLines(Files.writeString(
            directory.resolve("r.toml"), "[router]\ncontrol = \"static\"\n" + String.join("", tables)));
    }

    private String list(final String name)
    {
        final StringBuilder text = new StringBuilder("[[acl]]\nname = \"" + name + "\"\ndefault = \"" +
            (random.nextBoolean() ? "permit" : "deny") + "\"\n");
        for (int i = random.nextInt(6); i > 0; i--)
        {
            text.append("[[acl.rule]]\naction = \"" + AccessAction.keys().get(random.nextInt(4)) + "\"\n" +
                CONDITIONS.get(random.nextInt(CONDITIONS.size())) + "\n");
        }
        return text.toString();
    }

    private String use(final String key, final List<String> present)
    {
        final int choice = random.nextInt(present.size() + 1);
        return choice == present.size() ? "" : key + " = \"" + present.get(choice) + "\"\n";
    }
}
