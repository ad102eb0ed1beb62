package org.fibnuma.core;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a package that programs outside of Fibnuma must not use: its types change in any version without notice. The
 * packages without it are for programs; docs/embedding.md lists them.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PACKAGE)
public @interface Internal
{
}
