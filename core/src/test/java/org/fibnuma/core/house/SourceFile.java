package org.fibnuma.core.house;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Path and imports of a Java source file. */
final class SourceFile
{
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern COMMENT_OR_TEXT =
        Pattern.compile("/\\*.*?\\*/|//[^\\n]*|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])+'", Pattern.DOTALL);
    private static final Pattern QUALIFIED = Pattern.compile("(?<![\\w.])((?:[a-z]\\w*\\.)+)([A-Z]\\w*|\\*)");

    private final Path path;
    private final String text;
    private final String packageName;
    private final Set<String> namedTypes = new TreeSet<>();

    private SourceFile(final Path path, final String text)
    {
        this.path = path;
        this.text = text;
        final Matcher declaration = PACKAGE.matcher(text);
        this.packageName = declaration.find() ? declaration.group(1) : "";
        final Matcher name = QUALIFIED.matcher(COMMENT_OR_TEXT.matcher(text).replaceAll(" "));
        while (name.find())
        {
            namedTypes.add(name.group(1) + name.group(2));
        }
    }

    /**
     * Returns every Java file below {@code MODULE/src/PART/java} of every module.
     *
     * @param project root of the checkout.
     * @param part    {@code main} or {@code test}.
     * @return sorted by path.
     * @throws IOException where one cannot be read.
     */
    static List<SourceFile> all(final Path project, final String part) throws IOException
    {
        final List<SourceFile> files = new ArrayList<>();
        for (final String module : Modules.NAMES)
        {
            final Path root = project.resolve(module).resolve("src").resolve(part).resolve("java");
            if (Files.isDirectory(root))
            {
                try (Stream<Path> paths = Files.walk(root))
                {
                    for (final Path path : (Iterable<Path>)paths.sorted()::iterator)
                    {
                        if (path.toString().endsWith(".java"))
                        {
                            files.add(new SourceFile(project.relativize(path), Files.readString(path)));
                        }
                    }
                }
            }
        }
        return files;
    }

    Path path()
    {
        return path;
    }

    String text()
    {
        return text;
    }

    String packageName()
    {
        return packageName;
    }

    String typeName()
    {
        return path.getFileName().toString().replace(".java", "");
    }

    /** Types of other packages that the code uses by import or by qualified name. */
    Set<String> namedTypes()
    {
        return namedTypes;
    }

    long lineCount()
    {
        return text.lines().count();
    }

    @Override
    public String toString()
    {
        return path.toString();
    }
}
