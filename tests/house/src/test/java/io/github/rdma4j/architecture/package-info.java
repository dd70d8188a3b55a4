// SPDX-License-Identifier: Apache-2.0
/** Tests of rules for the code of all modules. */
@NullMarked
package io.github.rdma4j.architecture;

import org.jspecify.annotations.NullMarked;
