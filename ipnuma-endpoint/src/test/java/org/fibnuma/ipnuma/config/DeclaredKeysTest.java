package org.fibnuma.ipnuma.config;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.config.DeclaredKeys;
import org.fibnuma.core.service.config.DeclaredKeys.Declared;
import org.fibnuma.core.wire.Ipv4Address;
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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every declared key of an endpoint is read, has the declared default, and is applied by a reload if declared so. */
class DeclaredKeysTest
{
    private static final String TEXT = """
        [endpoint]
        #
        device = "shm:link0"
        address = "10.9.0.7/24"
        [[peer]]
        #
        id = 3
        address = "10.9.0.3"
        [[region]]
        #
        name = "other"
        [directory]
        #
        etcd = ["http://127.0.0.1:2380"]
        [http]
        #
        """;
    /** What other keys of the same table a key needs. */
    private static final Map<String, String> NEEDED = Map.of(
        "names-certificate", "names-key = \"names.key\"", "names-key", "names-certificate = \"names.pem\"",
        "certificate", "key = \"client.key\"", "directory.key", "certificate = \"client.pem\"",
        "user", "password-file = \"FOLDER/b.key\"", "password-file", "user = \"fibnuma\"");
    /** Values where the example does not fit to the text or the machine. */
    private static final Map<String, String> VALUES = Map.of(
        "endpoint.core", "0", "peer.seal-key-file", "\"FOLDER/b.key\"", "directory.password-file", "\"FOLDER/b.key\"",
        "endpoint.idle", "\"yield\"");

    @TempDir
    private Path directory;
    private EndpointConfig running;

    static List<Declared> keys()
    {
        return DeclaredKeys.of(EndpointConfigReader.TABLES);
    }

    static List<Declared> keysWithDefaults()
    {
        return keys().stream().filter(each -> each.key().defaultToml() != null).toList();
    }

    @BeforeEach
    void write() throws Exception
    {
        Files.writeString(directory.resolve("b.key"), "000102030405060708090a0b0c0d0e0f\n");
        running = EndpointConfigReader.read(Files.writeString(directory.resolve("a.toml"), TEXT));
    }

    @Test
    void shouldFindTheKeys()
    {
        assertTrue(keys().size() > 40, () -> keys().size() + " keys");
        assertEquals(keys().size(), keys().stream().map(Declared::toString).distinct().count());
        keys().forEach(each -> assertTrue(each.key().text().endsWith("."), each::toString));
    }

    @ParameterizedTest
    @MethodSource("keysWithDefaults")
    void shouldHaveTheDeclaredDefault(final Declared declared) throws Exception
    {
        assertEquals(running, readAgain(declared.in(TEXT, declared.key().defaultToml())));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void shouldApplyOrRefuseAChangeAsDeclared(final Declared declared) throws Exception
    {
        final String needed = NEEDED.getOrDefault(declared.toString(), NEEDED.get(declared.key().name()));
        String text = needed == null ? TEXT : TEXT.replaceFirst(
            "(?m)^(\\[{1,2}" + declared.path() + "\\]{1,2})\n", "$1\n" + needed + "\n");
        if (declared.toString().equals("peer.endpoint"))
        {
            text = text.replace("address = \"10.9.0.3\"\n", "");
        }
        final EndpointConfig after = readAgain(
            declared.in(text, VALUES.getOrDefault(declared.toString(), declared.key().example())));
        if (declared.key().isReloaded())
        {
            assertFalse(EndpointChanges.of(running, running, after).lines().isEmpty());
        }
        else
        {
            assertThrows(UserException.class, () -> EndpointChanges.of(running, running, after));
        }
    }

    private EndpointConfig readAgain(final String text) throws IOException, ConfigException
    {
        Files.writeString(running.file(), text.replace("FOLDER", directory.toString()));
        return EndpointConfigReader.readAgain(running, Map.of("b", Ipv4Address.parse("10.9.0.2")));
    }
}
