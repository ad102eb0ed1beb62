package org.fibnuma.binding.libc;

import org.fibnuma.core.Require;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Evaluates C expressions with the system's headers, for tests of layout classes. */
public final class HeaderProbe
{
    private HeaderProbe()
    {
    }

    /**
     * Compares constants with the system's headers.
     *
     * @param directory to compile in.
     * @param headers   to include, such as {@code linux/bpf.h}.
     * @param expected  C expressions of integers and their expected values.
     * @throws IOException where the compiler cannot be run.
     */
    public static void check(final Path directory, final List<String> headers, final Map<String, Long> expected)
        throws IOException
    {
        Require.program("gcc", "gcc");
        for (final String header : headers)
        {
            Require.that(new File("/usr/include", header).exists() ||
                new File("/usr/include/x86_64-linux-gnu", header).exists(),
                "needs " + header + ": apt-get install linux-libc-dev libc6-dev");
        }
        compare(directory, headers, expected, List.of());
    }

    /**
     * Compares constants with a library's headers.
     *
     * @param directory     to compile in.
     * @param library       as pkg-config knows it.
     * @param debianPackage that brings the headers.
     * @param headers       to include.
     * @param expected      C expressions of integers and their expected values.
     * @throws IOException where the compiler cannot be run.
     */
    public static void checkPackage(
        final Path directory,
        final String library,
        final String debianPackage,
        final List<String> headers,
        final Map<String, Long> expected) throws IOException
    {
        Require.program("gcc", "gcc");
        Require.program("pkg-config", "pkg-config");
        final Process process = new ProcessBuilder("pkg-config", "--cflags", library).start();
        final String flags = new String(process.getInputStream().readAllBytes()).trim();
        Require.that(process.onExit().join().exitValue() == 0,
            "needs " + library + ": apt-get install " + debianPackage);
        compare(directory, headers, expected, List.of(flags.split("\\s+")));
    }

    /**
     * Compares constants with headers that are not installed.
     *
     * @param directory to compile in.
     * @param folders   that the compiler searches for headers.
     * @param headers   to include.
     * @param expected  C expressions of integers and their expected values.
     * @throws IOException where the compiler cannot be run.
     */
    public static void checkFolders(
        final Path directory,
        final List<Path> folders,
        final List<String> headers,
        final Map<String, Long> expected) throws IOException
    {
        Require.program("gcc", "gcc");
        final List<String> flags = new ArrayList<>(List.of("-march=corei7"));
        folders.forEach(folder -> flags.add("-I" + folder));
        compare(directory, headers, expected, flags);
    }

    private static void compare(
        final Path directory,
        final List<String> headers,
        final Map<String, Long> expected,
        final List<String> flags) throws IOException
    {
        final List<String> expressions = new ArrayList<>(expected.keySet());
        final StringBuilder source = new StringBuilder(
            "#define _GNU_SOURCE\n#include <stddef.h>\n#include <stdio.h>\n");
        headers.forEach(header -> source.append("#include <").append(header).append(">\n"));
        source.append("int main(void)\n{\n");
        expressions.forEach(
            expression -> source.append("printf(\"%lld\\n\", (long long)(").append(expression).append("));\n"));
        source.append("return 0;\n}\n");
        final Path file = Files.writeString(directory.resolve("probe.c"), source);
        final Path program = directory.resolve("probe");
        final List<String> compile = new ArrayList<>(List.of("gcc"));
        compile.addAll(flags);
        compile.addAll(List.of("-o", program.toString(), file.toString()));
        run(compile.toArray(new String[0]));
        final List<String> answers = run(program.toString()).lines().toList();
        assertEquals(expressions.size(), answers.size());
        assertAll(expressions.stream().map(expression -> () -> assertEquals(
            expected.get(expression), Long.parseLong(answers.get(expressions.indexOf(expression))), expression)));
    }

    /**
     * The C expression for where a field is.
     *
     * @param type  such as {@code struct xdp_desc}.
     * @param field of it.
     * @return an expression.
     */
    public static String offset(final String type, final String field)
    {
        return "offsetof(" + type + ", " + field + ")";
    }

    private static String run(final String... command) throws IOException
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes());
        assertTrue(process.onExit().join().exitValue() == 0, output);
        return output;
    }
}
