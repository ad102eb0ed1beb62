package org.fibnuma.fibnic.config;

import org.fibnuma.core.Require;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.http.HttpConfig;
import org.fibnuma.fibnic.acl.AccessList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What the README and the reference show as a configuration is one. DeclaredKeysTest has the keys. */
class ReadmeConfigurationTest
{
    private static final Pattern TOML = Pattern.compile("```toml\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path directory;

    @Test
    void shouldReadTheExampleThatFollowsTheKernel() throws IOException, ConfigException
    {
        final RouterConfig config = read(examples("README.md").get(0));
        assertEquals("r", config.name());
        assertEquals(ControlMode.NETLINK, config.control().mode());
        assertEquals(List.of("xdp:eth1", "xdp:eth2"), config.ports().stream().map(PortConfig::device).toList());
    }

    @Test
    void shouldReadTheExampleOfTheReference() throws IOException, ConfigException
    {
        final List<String> examples = examples("docs/configuration.md");
        assertEquals(1, examples.size());
        final RouterConfig config = read(examples.get(0));
        assertEquals(List.of("from-left"), config.acls().stream().map(AccessList::name).toList());
        assertEquals("from-left", config.ports().get(0).aclIn());
        assertEquals(HttpConfig.DEFAULT_LISTEN, config.http().listenText());
    }

    private static List<String> examples(final String document) throws IOException
    {
        return TOML.matcher(Files.readString(Require.projectDirectory().resolve(document))).results()
            .map((MatchResult result) -> result.group(1)).toList();
    }

    private RouterConfig read(final String text) throws IOException, ConfigException
    {
        return ConfigReader.read(Files.writeString(directory.resolve("router.toml"), text));
    }
}
