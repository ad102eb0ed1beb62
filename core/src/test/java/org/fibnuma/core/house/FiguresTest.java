package org.fibnuma.core.house;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The figures of Fibnuma and its peers in the README are those of a result file, rounded. */
class FiguresTest
{
    private static final Pattern NUMBER = Pattern.compile("(?<![\\d.,])\\d+(?:,\\d{3})*(?:\\.\\d+)?(?!\\.?\\d)");
    private static final int OURS = 1;
    private static final int PEER = 2;
    private static final int CELLS = 5;
    /** From the nanoseconds of a file to microseconds. */
    private static final BigDecimal UNIT = BigDecimal.valueOf(1000);

    private final Path project = Require.projectDirectory();

    @Test
    void shouldBeInOneResultFileForEachRow() throws IOException
    {
        final List<String> rows = rows();
        assertTrue(rows.size() > 5, rows::toString);
        assertEquals("", rows.stream().filter(row -> !isBacked(row)).collect(Collectors.joining("\n")));
    }

    @Test
    void shouldFindAFigureThatNoFileHas()
    {
        assertTrue(isBacked("| x | 35.2 Mpps | l3fwd 36.1 | 0.98 | y |"));
        assertFalse(isBacked("| x | 35.2 Mpps | l3fwd 36.17 | 0.98 | y |"));
    }

    private List<String> rows() throws IOException
    {
        return Files.readAllLines(project.resolve("README.md")).stream()
            .filter(line -> cells(line).length == CELLS && !numbers(cells(line)[OURS]).isEmpty()).toList();
    }

    private static String[] cells(final String row)
    {
        return row.startsWith("| ") ? row.substring(2).split(" \\| ") : new String[0];
    }

    private boolean isBacked(final String row)
    {
        final List<BigDecimal> figures = new ArrayList<>(numbers(cells(row)[OURS]));
        figures.addAll(numbers(cells(row)[PEER]));
        return results().anyMatch(file -> figures.stream().allMatch(figure -> file.stream().anyMatch(result ->
            isRounded(figure, result) || isRounded(figure, result.divide(UNIT)))));
    }

    private static boolean isRounded(final BigDecimal figure, final BigDecimal result)
    {
        return result.setScale(figure.scale(), RoundingMode.HALF_UP).equals(figure);
    }

    private Stream<Set<BigDecimal>> results()
    {
        try (Stream<Path> files = Files.list(project.resolve("docs/results")))
        {
            return files.filter(file -> file.toString().endsWith(".md")).map(FiguresTest::text)
                .map(text -> Set.copyOf(numbers(text))).toList().stream();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static String text(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static List<BigDecimal> numbers(final String text)
    {
        return NUMBER.matcher(text).results().map(match -> new BigDecimal(match.group().replace(",", "")))
            .distinct().toList();
    }
}
