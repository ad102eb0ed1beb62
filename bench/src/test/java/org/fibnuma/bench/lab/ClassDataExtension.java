package org.fibnuma.bench.lab;

import org.fibnuma.core.service.netns.JavaProgram;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Makes the class data archive that {@link JavaProgram#CLASS_DATA_PROPERTY} names before the first test, if it is
 * missing. JUnit finds this class by its service file; without the property it does nothing.
 */
public final class ClassDataExtension implements BeforeAllCallback
{
    /** Several JVMs may come here at once: each makes its own, and moves it to its place whole. */
    @Override
    public void beforeAll(final ExtensionContext context) throws IOException
    {
        final String property = System.getProperty(JavaProgram.CLASS_DATA_PROPERTY, "");
        if (property.isEmpty() || Files.exists(Path.of(property)))
        {
            return;
        }
        final Path archive = Path.of(property).toAbsolutePath();
        final Path directory = Files.createTempDirectory(archive.getParent(), "class-data-");
        ClassDataArchives.write(directory, ClassDataArchives.java());
        Files.move(directory.resolve(ClassDataArchives.ROUTER), archive, StandardCopyOption.ATOMIC_MOVE);
        ClassDataArchives.delete(directory);
    }
}
