package org.fibnuma.core.service.config;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TomlSectionTest
{
    private final ConfigProblems problems = new ConfigProblems(Path.of("f.toml"));
    private final ConfigTable keys = new ConfigTable();
    private final ConfigKey<Integer> size = keys.integer("size", 1, 8, 2).restart("Size.");
    private final ConfigKey<String> name = keys.string("name", "any text", "left", null)
        .required("give one, such as name = \"left\"").restart("Name.");
    private final ConfigTable tables = new ConfigTable();
    private final ConfigKey<List<TomlSection>> parts =
        tables.tables("part", keys).onlyFor("test = true").restart("Part.");

    @Test
    void shouldReadDeclaredKeysAndTheirDefaults() throws ConfigException
    {
        final List<TomlSection> sections = read("[[part]]\nsize = 3\nname = \"a\"\n[[part]]\n");
        assertEquals(3, sections.get(0).get(size));
        assertEquals("a", sections.get(0).get(name));
        assertEquals(2, sections.get(1).get(size));
        assertEquals(7, sections.get(1).get(size, 7));
        problems.throwIfAny();
        assertNull(sections.get(1).get(name));
        assertProblems("f.toml:4: part.name: is missing; give one, such as name = \"left\"");
    }

    @Test
    void shouldRefuseAKeyThatThisTableDoesNotDeclare() throws ConfigException
    {
        final TomlSection section = read("[[part]]\nsize = 3\n").get(0);
        final ConfigKey<Integer> other = new ConfigTable().integer("size", 1, 8, 2);
        assertEquals("the key part.size is not declared in this table",
            assertThrows(IllegalArgumentException.class, () -> section.get(other)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> section.has(parts));
    }

    @Test
    void shouldFailIfADeclaredKeyIsNotRead() throws ConfigException
    {
        final TomlSection section = read("[[part]]\nnam = \"a\"\n").get(0);
        section.has(name);
        assertTrue(assertThrows(AssertionError.class, section::refuseUnknownKeys).getMessage()
            .matches("\\[name\\] are read of \\[size, name\\]"));
        section.get(size);
        section.refuseUnknownKeys();
        assertProblems("f.toml:2: part.nam: unknown key; did you mean \"name\"?");
    }

    @Test
    void shouldRefuseWhatItsConditionExcludes() throws ConfigException
    {
        TomlFile.parse("", problems, tables).refuse(parts, "remove it");
        problems.throwIfAny();
        TomlFile.parse("[[part]]\n", problems, tables).refuse(parts, "remove it");
        assertProblems("f.toml:1: part: is only for test = true; remove it");
    }

    private List<TomlSection> read(final String text) throws ConfigException
    {
        return TomlFile.parse(text, problems, tables).get(parts);
    }

    private void assertProblems(final String... lines)
    {
        assertEquals(List.of(lines), assertThrows(ConfigException.class, problems::throwIfAny).problems());
    }
}
