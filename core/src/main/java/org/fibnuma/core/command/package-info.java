/** What commands of several modules share: how a result is printed. */
package org.fibnuma.core.command;
