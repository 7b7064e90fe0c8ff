package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.expression.ExpressionBeans;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;

/**
 * Lets expressions see the beans of an application. No bean is created before a call
 * needs it.
 */
final class BeansOfExpressions {

	private BeansOfExpressions() {
	}

	static ExpressionBeans of(ListableBeanFactory beanFactory) {
		return new ExpressionBeans(new BeanFactoryResolver(beanFactory), beanFactory::containsBean,
				() -> List.of(beanFactory.getBeanDefinitionNames()));
	}

}
