// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.nio.channels.spi.SelectorProvider;

/** The provider that the JDK has when no other is set, for what this one does not make. */
final class JdkProvider {
    private static final String HOLDER = "sun.nio.ch.DefaultSelectorProvider";

    private JdkProvider() {}

    /** The JDK's provider, which the JDK shows only to those whom the user has allowed to see it. */
    static SelectorProvider get() {
        try {
            return (SelectorProvider) Class.forName(HOLDER).getMethod("get").invoke(null);
        } catch (ReflectiveOperationException e) {
            String module = JdkProvider.class.getModule().isNamed()
                    ? JdkProvider.class.getModule().getName()
                    : "ALL-UNNAMED";
            throw new UnsupportedOperationException(
                    "this provider has no datagrams; to get the JDK's, start Java with --add-exports java.base/sun.nio.ch="
                            + module,
                    e);
        }
    }
}
