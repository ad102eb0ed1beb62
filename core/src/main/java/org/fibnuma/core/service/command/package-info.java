/** Version, wrong usage and printing of results, for the commands of several modules. */
@org.fibnuma.core.Internal
package org.fibnuma.core.service.command;
