package org.fibnuma.ipnuma.wire;

/** Completion status (PCI Express Base Specification, table 2-39). */
public final class CompletionStatus
{
    /** Done. */
    public static final int SUCCESSFUL = 0;
    /** The completer does not know such requests or owns no such address. */
    public static final int UNSUPPORTED_REQUEST = 1;
    /** Configuration requests only: try again. */
    public static final int CONFIGURATION_RETRY = 2;
    /** The completer could not go through with it. */
    public static final int COMPLETER_ABORT = 4;

    private CompletionStatus()
    {
    }
}
