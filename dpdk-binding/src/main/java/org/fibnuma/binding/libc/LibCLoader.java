package org.fibnuma.binding.libc;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;
import org.fibnuma.core.UserException;

/** Sets the properties of jnr-ffi and jffi, and loads the C library once. */
final class LibCLoader
{
    static final Runtime RUNTIME;

    private static final LibC LIBRARY;
    /** The reason why loading failed; null if it succeeded. */
    private static final UserException PROBLEM;

    private static final String STUBS_PROPERTY = "jnr.ffi.x86asm.enabled";

    static
    {
        // jnr-ffi's assembled x86-64 stubs pass a wrong sixth integer argument. The property is read once, at load.
        if (System.getProperty(STUBS_PROPERTY) == null)
        {
            System.setProperty(STUBS_PROPERTY, "false");
        }
        LibC library = null;
        UserException problem = null;
        try
        {
            ExtractDirectory.choose();
            library = LibraryLoader.create(LibC.class).load("c");
        }
        catch (final UserException ex)
        {
            problem = ex;
        }
        LIBRARY = library;
        PROBLEM = problem;
        RUNTIME = library == null ? null : Runtime.getRuntime(library);
    }

    private LibCLoader()
    {
    }

    /**
     * Returns the library.
     *
     * @throws UserException with one line for the user if loading failed.
     */
    static LibC library()
    {
        if (PROBLEM != null)
        {
            throw new UserException(PROBLEM.getMessage(), PROBLEM);
        }
        return LIBRARY;
    }
}
