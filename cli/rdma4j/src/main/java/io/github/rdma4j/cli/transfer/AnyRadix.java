// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import picocli.CommandLine.ITypeConverter;

/** Numbers as {@code strtoul(3)} takes them: decimal, hexadecimal after 0x, octal after 0. */
public final class AnyRadix implements ITypeConverter<Integer> {
    /** For picocli. */
    public AnyRadix() {}

    @Override
    public Integer convert(String text) {
        return Integer.decode(text);
    }
}
