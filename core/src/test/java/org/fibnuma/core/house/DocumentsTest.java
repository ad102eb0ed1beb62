package org.fibnuma.core.house;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Types, files and headings that documents name must exist. */
class DocumentsTest
{
    /** Names of types with two or more words. Single words are ambiguous, and Xxx stands for any name. */
    private static final String TYPE_NAME = "((?!Xxx)[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)";
    private static final Pattern TYPE_IN_MARKDOWN = Pattern.compile("`(?:[a-z]\\w*\\.)*" + TYPE_NAME + "[^`\\n]*`");
    private static final Pattern TYPE_IN_DRAWING = Pattern.compile("\\b" + TYPE_NAME + "\\b");
    private static final Pattern DRAWING_OR_LINK =
        Pattern.compile("<pre>(.*?)</pre>|\\{@link +([^}]*)}", Pattern.DOTALL);
    /** File, which is empty for a heading of the same document, and heading. */
    private static final Pattern LINK_IN_MARKDOWN = Pattern.compile("]\\(([^)#\\s]*)(?:#([^)]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?ms)^```.*?^```|^#+ ([^\\n]*)");
    private static final Pattern SOURCE_IN_MARKDOWN = Pattern.compile("`([\\w-]+\\.java)`");
    private static final Pattern BLOCK_IN_MARKDOWN = Pattern.compile("(?ms)^```(\\w*)$(.*?)^```$");
    private static final String ARROW = "->";
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|enum|record) +([A-Z]\\w*)");

    private final Path project = Require.projectDirectory();

    @Test
    void shouldNameOnlyTypesThatExist() throws IOException
    {
        final Set<String> types = types();
        final List<String> unknown = new ArrayList<>();
        for (final Path document : markdown())
        {
            final Matcher name = TYPE_IN_MARKDOWN.matcher(Files.readString(document));
            while (name.find())
            {
                if (!types.contains(name.group(1)))
                {
                    unknown.add(project.relativize(document) + " names " + name.group(1));
                }
            }
            BLOCK_IN_MARKDOWN.matcher(Files.readString(document)).results()
                .filter(block -> block.group(1).isEmpty() && block.group(2).contains(ARROW))
                .forEach(block -> collectUnknown(project.relativize(document), block.group(2), types, unknown));
        }
        for (final SourceFile source : SourceFile.all(project, "main"))
        {
            if (source.typeName().equals("package-info"))
            {
                collectUnknown(source, types, unknown);
            }
        }
        assertEquals("", String.join("\n", unknown));
    }

    @Test
    void shouldNameOnlySourcesThatExist() throws IOException
    {
        final Set<String> sources = sources().stream()
            .map(source -> source.path().getFileName().toString()).collect(Collectors.toSet());
        final List<String> unknown = new ArrayList<>();
        for (final Path document : markdown())
        {
            SOURCE_IN_MARKDOWN.matcher(Files.readString(document)).results().map(name -> name.group(1))
                .filter(name -> !sources.contains(name))
                .forEach(name -> unknown.add(project.relativize(document) + " names " + name));
        }
        assertEquals("", String.join("\n", unknown));
    }

    @Test
    void shouldLinkOnlyToFilesAndHeadingsThatExist() throws IOException
    {
        final List<Path> documents = markdown();
        documents.addAll(markdown(project.resolve("docs/results")));
        final List<String> broken = new ArrayList<>();
        for (final Path document : documents)
        {
            final Matcher link = LINK_IN_MARKDOWN.matcher(Files.readString(document));
            while (link.find())
            {
                final Path target =
                    link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1)).normalize();
                final boolean hasAnchor = link.group(2) != null && target.toString().endsWith(".md");
                if (!link.group(1).contains("://") &&
                    (!Files.exists(target) || hasAnchor && !anchors(target).contains(link.group(2))))
                {
                    broken.add(project.relativize(document) + " has a broken link " + link.group());
                }
            }
        }
        assertEquals("", String.join("\n", broken));
    }

    /** Returns the names by which links select the headings of a document, as GitHub makes them. */
    private static Set<String> anchors(final Path document) throws IOException
    {
        final Set<String> anchors = new HashSet<>();
        final Matcher heading = HEADING.matcher(Files.readString(document));
        while (heading.find())
        {
            if (heading.group(1) != null)
            {
                final String text = heading.group(1).toLowerCase(Locale.ROOT).replaceAll("\\[(.*?)]\\(.*?\\)", "$1");
                final String name = text.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
                int count = 0;
                while (!anchors.add(count == 0 ? name : name + "-" + count))
                {
                    count++;
                }
            }
        }
        return anchors;
    }

    private static void collectUnknown(final SourceFile source, final Set<String> types, final List<String> unknown)
    {
        final Matcher part = DRAWING_OR_LINK.matcher(source.text());
        while (part.find())
        {
            collectUnknown(source, part.group(1) == null ? part.group(2) : part.group(1), types, unknown);
        }
    }

    private static void collectUnknown(
        final Object document, final String drawing, final Set<String> types, final List<String> unknown)
    {
        final Matcher name = TYPE_IN_DRAWING.matcher(drawing);
        while (name.find())
        {
            if (!types.contains(name.group(1)))
            {
                unknown.add(document + " names " + name.group(1));
            }
        }
    }

    private List<Path> markdown() throws IOException
    {
        final List<Path> documents = new ArrayList<>();
        final Path docs = project.resolve("docs");
        final List<Path> directories =
            new ArrayList<>(List.of(project, docs, docs.resolve("decisions"), project.resolve("packaging")));
        Modules.NAMES.forEach(module -> directories.add(project.resolve(module)));
        for (final Path directory : directories)
        {
            documents.addAll(markdown(directory));
        }
        return documents;
    }

    private static List<Path> markdown(final Path directory) throws IOException
    {
        final List<Path> documents = new ArrayList<>();
        try (var files = Files.newDirectoryStream(directory, "*.md"))
        {
            files.forEach(documents::add);
        }
        return documents;
    }

    /** Types that our sources declare or use. */
    private Set<String> types() throws IOException
    {
        final Set<String> types = new HashSet<>(Set.of("ServiceLoader"));
        for (final SourceFile source : sources())
        {
            final Matcher declared = DECLARED.matcher(source.text());
            while (declared.find())
            {
                types.add(declared.group(1));
            }
            source.namedTypes().forEach(name -> types.add(name.substring(name.lastIndexOf('.') + 1)));
        }
        return types;
    }

    private List<SourceFile> sources() throws IOException
    {
        final List<SourceFile> sources = new ArrayList<>(SourceFile.all(project, "main"));
        sources.addAll(SourceFile.all(project, "test"));
        return sources;
    }
}
