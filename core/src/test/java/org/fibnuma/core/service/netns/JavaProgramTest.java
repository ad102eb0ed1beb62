package org.fibnuma.core.service.netns;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class JavaProgramTest
{
    private static final String CLASS_PATH_PROPERTY = "java.class.path";

    private final String classPath = System.getProperty(CLASS_PATH_PROPERTY);
    private final String classData = System.getProperty(JavaProgram.CLASS_DATA_PROPERTY, "");

    @TempDir
    private Path directory;

    @BeforeEach
    void withoutClassData()
    {
        System.setProperty(JavaProgram.CLASS_DATA_PROPERTY, "");
    }

    @AfterEach
    void putBack()
    {
        System.setProperty(CLASS_PATH_PROPERTY, classPath);
        System.setProperty(JavaProgram.CLASS_DATA_PROPERTY, classData);
    }

    @Test
    void shouldPutDirectoriesBehindJarsAndKeepTheOrderOtherwise() throws IOException
    {
        final Path first = Files.createDirectory(directory.resolve("b"));
        final Path second = Files.createDirectory(directory.resolve("a"));
        final Path jar = Files.createFile(directory.resolve("z.jar"));
        final Path other = Files.createFile(directory.resolve("y.jar"));
        System.setProperty(CLASS_PATH_PROPERTY, path(first, jar, second, other));

        final List<String> command = List.of(JavaProgram.command("Main", "argument"));

        assertEquals(List.of("-cp", path(jar, other, first, second), "Main", "argument"),
            command.subList(command.size() - 4, command.size()));
    }

    private static String path(final Path... entries)
    {
        return String.join(File.pathSeparator, List.of(entries).stream().map(Path::toString).toList());
    }

    @Test
    void shouldUseAnArchiveOfClassesThatExists() throws IOException
    {
        final Path archive = directory.resolve("classes.jsa");
        final String flag = "-XX:SharedArchiveFile=" + archive;
        System.setProperty(JavaProgram.CLASS_DATA_PROPERTY, archive.toString());

        assertFalse(List.of(JavaProgram.command("Main")).contains(flag), "the JVM would not even use its own archive");
        Files.createFile(archive);
        assertTrue(List.of(JavaProgram.command("Main")).contains(flag));
    }
}
