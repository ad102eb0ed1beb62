package org.fibnuma.core.house;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Structural rules for the sources of all modules. */
class HouseStructureTest
{
    private static final int MAX_LINES = 800;
    private static final int MAX_FILES_IN_PACKAGE = 40;
    /** First line of a file that was generated or holds copied tables; such a file may be long. */
    private static final String TABLE_MARK = "// Table:";

    /** The packages that may name a library, by the start of the library's own package names. */
    private static final Map<String, Predicate<String>> DOORS = Map.of(
        "ch.qos.logback.", packages("core.service.log"),
        "jnr.", in("binding"),
        "com.kenai.jffi.", in("binding"),
        // Servers and clients of the control plane, and the transport for programs of Netty.
        "io.netty.", packages(
            "core.service.http", "fibnic.control.ipc", "ipnuma.memcached.socket", "ipnuma.naming.socket",
            "ipnuma.netty", "bench.stream.netty"),
        "io.prometheus.", name -> name.endsWith(".metrics"),
        "net.openhft.", in("ipnuma"),
        "org.openjdk.jmh.", in("bench"),
        "org.jline.", packages("fibnic.command"),
        "org.knowm.xchart.", packages("pfc.plot"),
        "org.tomlj.", packages("core.service.config"));

    private static final String INTERNAL = "@org.fibnuma.core.Internal";

    private static List<SourceFile> sources;

    @BeforeAll
    static void readSources() throws IOException
    {
        sources = SourceFile.all(Require.projectDirectory(), "main");
    }

    @Test
    void shouldSeeTheSourcesOfEveryModule()
    {
        assertEquals(
            Modules.MAY_NAME.keySet(),
            sources.stream().map(source -> Modules.of(source.packageName())).collect(Collectors.toSet()));
        assertTrue(sources.size() > 60, sources.size() + " files");
    }

    @Test
    void shouldNameOnlyModulesBelow()
    {
        final List<String> upwards = new ArrayList<>();
        for (final SourceFile source : sources)
        {
            for (final String type : source.namedTypes())
            {
                final String module = Modules.of(type);
                if (!module.isEmpty() && !Modules.MAY_NAME.get(Modules.of(source.packageName())).contains(module))
                {
                    upwards.add(source + " names " + type);
                }
            }
        }
        assertNone(upwards);
    }

    @Test
    void shouldHaveNoCycleOfPackages()
    {
        final Map<String, Set<String>> graph = new TreeMap<>();
        for (final SourceFile source : sources)
        {
            final Set<String> known = graph.computeIfAbsent(source.packageName(), name -> new TreeSet<>());
            for (final String type : source.namedTypes())
            {
                final String other = type.substring(0, type.lastIndexOf('.'));
                if (!Modules.of(type).isEmpty() && !other.equals(source.packageName()))
                {
                    known.add(other);
                }
            }
        }
        assertEquals(List.of(), PackageCycle.find(graph), "packages that know each other in a circle");
    }

    @Test
    void shouldFindACycleWhereThereIsOne()
    {
        assertEquals(List.of("b", "c", "b"), PackageCycle.find(new TreeMap<>(Map.of(
            "a", Set.of("b"), "b", Set.of("c", "d"), "c", Set.of("b"), "d", Set.of()))));
    }

    @Test
    void shouldReachEachLibraryThroughItsDoor()
    {
        final List<String> besideTheDoor = new ArrayList<>();
        for (final SourceFile source : sources)
        {
            for (final String type : source.namedTypes())
            {
                DOORS.forEach((library, door) ->
                {
                    if (type.startsWith(library) && !door.test(source.packageName()))
                    {
                        besideTheDoor.add(source + " names " + type);
                    }
                });
            }
        }
        assertNone(besideTheDoor);
    }

    @Test
    void shouldKeepFilesShort()
    {
        assertNone(sources.stream()
            .filter(source -> source.lineCount() > MAX_LINES && !source.text().startsWith(TABLE_MARK))
            .map(source -> source + " has " + source.lineCount() + " lines")
            .collect(Collectors.toList()));
    }

    @Test
    void shouldKeepPackagesSmall()
    {
        assertNone(sources.stream()
            .collect(Collectors.groupingBy(SourceFile::packageName, TreeMap::new, Collectors.counting()))
            .entrySet().stream()
            .filter(entry -> entry.getValue() > MAX_FILES_IN_PACKAGE)
            .map(entry -> entry.getKey() + " has " + entry.getValue() + " files")
            .collect(Collectors.toList()));
    }

    @Test
    void shouldLieWhereThePackageSays()
    {
        assertNone(sources.stream()
            .filter(source -> !source.path().getParent().endsWith(source.packageName().replace('.', '/')))
            .map(SourceFile::toString)
            .collect(Collectors.toList()));
    }

    @Test
    void shouldMarkThePackagesThatProgramsMustNotUse() throws IOException
    {
        final String forPrograms = Files.readString(Require.projectDirectory().resolve("docs/embedding.md"));
        assertNone(sources.stream()
            .filter(source -> source.path().endsWith("package-info.java"))
            .filter(source -> source.text().contains("\n" + INTERNAL + "\npackage ") ==
                forPrograms.contains("\n| `" + source.packageName() + "` |"))
            .map(source -> source + " must have " + INTERNAL + ", or docs/embedding.md a row for it, not both")
            .collect(Collectors.toList()));
    }

    private static Predicate<String> packages(final String... names)
    {
        return packageName -> Stream.of(names).map(Modules.ROOT_PACKAGE::concat).anyMatch(packageName::equals);
    }

    private static Predicate<String> in(final String module)
    {
        return packageName -> Modules.of(packageName).equals(module);
    }

    private static void assertNone(final List<String> violations)
    {
        assertEquals("", String.join("\n", violations));
    }
}
