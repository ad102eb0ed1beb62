package org.fibnuma.fibnic.config;

import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.config.DeclaredKeys;
import org.fibnuma.core.service.config.DeclaredKeys.Declared;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every declared key of a router is read, has the declared default, and is applied by a reload if declared so. */
class DeclaredKeysTest
{
    private static final String KERNEL = """
        [router]
        #
        [[port]]
        #
        name = "left"
        device = "xdp:eth1"
        [[port]]
        name = "right"
        device = "xdp:eth2"
        [[acl]]
        #
        name = "edge"
        [[acl.rule]]
        #
        action = "permit"
        [http]
        #
        """;
    private static final String FIXED = """
        [router]
        #
        control = "static"
        [[port]]
        #
        name = "left"
        device = "mem:a"
        address = ["10.0.0.9/24", "10.0.1.1/24"]
        [[port.vlan]]
        #
        id = 10
        [[port.vlan]]
        id = 20
        [[port]]
        name = "right"
        device = "mem:b"
        [[route]]
        #
        prefix = "198.51.100.0/24"
        via = "10.0.1.3"
        [[neighbor]]
        #
        address = "10.0.1.3"
        mac = "02:00:00:00:00:03"
        [pfc]
        #
        [[pfc.port]]
        #
        name = "left"
        """;
    /** What other keys of the same table a key needs. */
    private static final Map<String, String> NEEDED = Map.of(
        "source-port", "protocol = \"tcp\"", "destination-port", "protocol = \"tcp\"",
        "tcp-flags", "protocol = \"tcp\"",
        "icmp-type", "protocol = \"icmp\"", "icmp-code", "protocol = \"icmp\"\nicmp-type = 8",
        "ecn-min-percent", "buffer-bytes = 100000000", "ecn-max-percent", "buffer-bytes = 100000000",
        "ecn-max-probability", "ecn-min-bytes = 1000");
    /** Values where the example is that of the text, or does not fit to it. */
    private static final Map<String, String> VALUES = Map.ofEntries(
        Map.entry("router.martians", "\"rfc1812\""), Map.entry("router.forward-old-broadcasts", "false"),
        Map.entry("port.name", "\"new\""), Map.entry("port.device", "\"xdp:eth9\""),
        Map.entry("port.address", "[\"10.0.0.1/24\", \"10.0.1.1/24\"]"), Map.entry("port.vlan.outer", "20"),
        Map.entry("port.vlan.address", "[\"10.20.0.1/24\"]"),
        Map.entry("route.weight", "[2]"), Map.entry("acl.rule.action", "\"deny\""),
        Map.entry("pfc.port.name", "\"right\""), Map.entry("pfc.xon-bytes", "1"),
        Map.entry("pfc.port.xon-bytes", "1"), Map.entry("pfc.ecn-min-bytes", "1000"),
        Map.entry("pfc.ecn-max-bytes", "2000"), Map.entry("pfc.ecn-min-percent", "1"),
        Map.entry("pfc.ecn-max-percent", "1"));

    @TempDir
    private Path directory;

    static List<Declared> keys()
    {
        return DeclaredKeys.of(ConfigReader.TABLES);
    }

    static List<Declared> keysWithDefaults()
    {
        return keys().stream().filter(each -> each.key().defaultToml() != null).toList();
    }

    static List<Declared> keysOfOtherModes()
    {
        return keys().stream().filter(each -> each.key().onlyFor().startsWith("control = ")).toList();
    }

    @BeforeEach
    void writeRoutes() throws IOException
    {
        Files.writeString(directory.resolve("table.txt"), "");
    }

    @Test
    void shouldFindTheKeys()
    {
        assertTrue(keys().size() > 100, () -> keys().size() + " keys");
        assertEquals(keys().size(), keys().stream().map(Declared::toString).distinct().count());
        keys().forEach(each -> assertTrue(each.key().text().endsWith("."), each::toString));
    }

    @ParameterizedTest
    @MethodSource("keysWithDefaults")
    void shouldHaveTheDeclaredDefault(final Declared declared) throws Exception
    {
        final String text = textFor(declared);
        assertEquals(read(text).config(), read(declared.in(text, declared.key().defaultToml())).config());
    }

    @ParameterizedTest
    @MethodSource("keys")
    void shouldApplyOrRefuseAChangeAsDeclared(final Declared declared) throws Exception
    {
        final String text = textFor(declared);
        final RouterConfig before = read(text).config();
        final ConfigFile after =
            read(declared.in(text, VALUES.getOrDefault(declared.toString(), declared.key().example())));
        final ConfigComparison comparison = ConfigComparison.of(before, before, after);
        assertEquals(!declared.key().isReloaded(), !comparison.refusals().isEmpty(), comparison.refusals()::toString);
        assertTrue(!declared.key().isReloaded() || !comparison.changes().isEmpty(), "no change");
    }

    @ParameterizedTest
    @MethodSource("keysOfOtherModes")
    void shouldRefuseAKeyOfAnotherControlMode(final Declared declared)
    {
        final String text = declared.in(KERNEL, declared.key().example());
        final String problem = assertThrows(ConfigException.class, () -> read(text)).problems().get(0);
        assertTrue(problem.contains(
            ": " + declared + ": is only for " + declared.key().onlyFor() + "; remove it"), problem);
    }

    /** Returns a text in which the key may stand. */
    private static String textFor(final Declared declared)
    {
        final boolean isFixed = declared.key().onlyFor().equals(RouterKeys.STATIC_ONLY) ||
            declared.path().matches("port\\.vlan|route|neighbor|pfc.*") || declared.toString().equals("port.exception");
        String text = isFixed ? FIXED : KERNEL;
        if (declared.key().name().startsWith("fpm-"))
        {
            text = text.replace("[router]\n#\n", "[router]\n#\ncontrol = \"fpm\"\n");
        }
        if (declared.key().name().equals("kind"))
        {
            text = text.replace("via = \"10.0.1.3\"", "kind = \"prohibit\"");
        }
        final String needed = NEEDED.get(declared.key().name());
        return needed == null ? text : text.replaceFirst(
            "(?m)^(\\[{1,2}" + declared.path() + "\\]{1,2})\n", "$1\n" + needed + "\n");
    }

    private ConfigFile read(final String text) throws IOException, ConfigException
    {
        return ConfigReader.readWithLines(Files.writeString(directory.resolve("r.toml"), text));
    }
}
