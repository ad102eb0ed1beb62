/** Version, wrong usage and printing of results, for the commands of several modules. */
package org.fibnuma.core.service.command;
