package org.fibnuma.fibnic.config;

import org.fibnuma.core.config.ConfigException;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What the README shows as a configuration is one, and the defaults that it names are the defaults. */
class ReadmeConfigurationTest
{
    private static final Pattern TOML = Pattern.compile("```toml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMENTED_KEY = Pattern.compile("(?m)^#(?=[\\[a-z])");

    @TempDir
    private Path directory;

    @Test
    void shouldReadTheExampleThatFollowsTheKernel() throws IOException, ConfigException
    {
        final RouterConfig config = read(examples().get(0));
        assertEquals("r", config.name());
        assertEquals(ControlMode.NETLINK, config.control().mode());
        assertEquals(List.of("xdp:eth1", "xdp:eth2"), config.ports().stream().map(PortConfig::device).toList());
    }

    @Test
    void shouldNameTheDefaults() throws IOException, ConfigException
    {
        final RouterConfig shown = read(examples().get(1));
        // The device in the same line of both files: where it stands is part of the configuration.
        final RouterConfig plain = read("\n".repeat(shown.ports().get(0).line() - 3) +
            "[[port]]\nname = \"left\"\ndevice = \"xdp:eth1\"\n");
        assertEquals(plain, shown);
    }

    @Test
    void shouldReadWhatTheReadmeShowsAsComments() throws IOException, ConfigException
    {
        Files.writeString(directory.resolve("table.txt"), "");
        final String everything = COMMENTED_KEY.matcher(examples().get(1)).replaceAll("")
            .replaceAll("(?m)^(fpm|spare)-.*$", "")
            .replace("control = \"netlink\"", "control = \"static\"").replace("10.0.1.2", "10.0.0.2");
        final RouterConfig config = read(everything);
        assertEquals(1500, config.ports().get(0).mtu());
        assertEquals(1, config.control().routes().size());
        assertEquals(1, config.control().neighbors().size());
    }

    @Test
    void shouldReadWhatTheReadmeShowsForFpm() throws IOException, ConfigException
    {
        final RouterConfig config = read(examples().get(1).replaceAll("(?m)^#(?=(fpm|spare)-)", "")
            .replace("control = \"netlink\"", "control = \"fpm\""));
        assertEquals(FpmConfig.DEFAULT_LISTEN, config.control().fpm().listenText());
        assertEquals(FpmConfig.DEFAULT_STALE_SECONDS, config.control().fpm().staleSeconds());
        assertEquals(4, config.sparePorts());
    }

    private static List<String> examples() throws IOException
    {
        return TOML.matcher(Files.readString(Require.projectDirectory().resolve("README.md"))).results()
            .map((MatchResult result) -> result.group(1)).toList();
    }

    private RouterConfig read(final String text) throws IOException, ConfigException
    {
        return ConfigReader.read(Files.writeString(directory.resolve("router.toml"), text));
    }
}
