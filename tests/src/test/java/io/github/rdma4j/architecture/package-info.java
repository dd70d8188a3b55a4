// SPDX-License-Identifier: Apache-2.0
/** Rules that hold over all modules. */
@NullMarked
package io.github.rdma4j.architecture;

import org.jspecify.annotations.NullMarked;
