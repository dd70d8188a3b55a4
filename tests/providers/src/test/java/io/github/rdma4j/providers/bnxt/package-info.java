// SPDX-License-Identifier: Apache-2.0
/** The provider of bnxt_re, by itself. */
@NullMarked
package io.github.rdma4j.providers.bnxt;

import org.jspecify.annotations.NullMarked;
