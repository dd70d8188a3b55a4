// SPDX-License-Identifier: Apache-2.0
/** The programs of the command line among peers that break off, say too much, or lose their device. */
@NullMarked
package io.github.rdma4j.program;

import org.jspecify.annotations.NullMarked;
